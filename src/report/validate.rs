//! Output held against the schemas that others wrote for it.

use serde_json::Value;

/// Fails with every violation unless `value` follows `testdata/schemas/<schema>`.
#[track_caller]
pub fn against(schema: &str, value: &Value) {
    let path = format!("{}/testdata/schemas/{schema}", env!("CARGO_MANIFEST_DIR"));
    // The pattern for languages in SARIF's schema has a bracket too many, which only lenient engines read.
    let text = std::fs::read_to_string(&path).unwrap().replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{path}\n{}", wrong.join("\n"));
}
