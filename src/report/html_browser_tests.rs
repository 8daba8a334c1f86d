//! The page in a real browser: it opens, draws, filters and copies, without an error and without the network.
//!
//! A probe script is added to the page; it acts as a person would and leaves what it saw in the document, which
//! Chromium prints. Where no Chromium is installed, the tests say so and end.

use super::*;
use crate::process::Cmd;
use crate::report::sample;

/// The browser, when there is one.
fn chromium() -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium is installed");
    }
    found.map(|file| file.to_string_lossy().into_owned())
}

/// What `probe` leaves behind: a function body that returns a value.
fn probed(browser: &str, page: &str, probe: &str) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report.html");
    let script = format!(
        "<script>try {{ document.documentElement.dataset.seen = JSON.stringify((() => {{ {probe} }})()) }} \
         catch (e) {{ console.error('probe: ' + e) }}</script></body>"
    );
    std::fs::write(&file, page.replace("</body>", &script)).unwrap();
    let out = Cmd::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let errors: Vec<String> =
        out.err_text().lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    assert!(errors.is_empty(), "the console: {errors:#?}");
    let dom = out.text();
    let seen = dom.split("data-seen=\"").nth(1).unwrap_or_else(|| panic!("nothing was seen in\n{dom}"));
    let seen = seen
        .split('"')
        .next()
        .unwrap_or_default()
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&seen).unwrap()
}

/// Helpers of every probe.
const HELPERS: &str = "
    const all = q => [...document.querySelectorAll(q)];
    const shown = () => all('#view [data-verdict]').map(e => e.dataset.verdict);
    const click = q => document.querySelector(q).click();
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const choose = (name, text) => { const s = document.querySelector(`[data-choose=${name}]`);
      s.value = [...s.options].find(o => o.text === text).value; s.dispatchEvent(new Event('change')); };
    const type = text => { const s = document.querySelector('[type=search]'); s.value = text; s.dispatchEvent(new Event('input')); };
";

#[test]
fn it_opens_and_filters_by_verdict_operator_test_and_text() {
    let Some(browser) = chromium() else { return };
    let probe = format!(
        "{HELPERS} const seen = {{}};
        seen.survivors = shown();
        click('[data-filter=unexecuted]'); seen.executed = shown(); click('[data-filter=unexecuted]');
        click('#tab-mutants'); seen.mutants = shown().length;
        choose('op', 'relational'); seen.relational = shown().length; choose('op', 'Any operator');
        choose('test', 'shop::prices two'); seen.two = shown().length; choose('test', 'Any test');
        type('LOG(TOTAL)'); seen.text = shown().length; type('');
        click('#tab-matrix'); seen.kills = all('td.k').length; seen.columns = all('.matrix thead th').length - 1;
        click('#tab-tests'); seen.toothless = all('#view .tag.survived').length;
        click('#tab-details'); seen.reasons = all('#view tbody tr').length;
        return seen;"
    );
    let seen = probed(&browser, &Html.render(&sample::report(), &sample::sources), &probe);
    let survived = ["survived"; 6].iter().chain(&["unexecuted"; 3]).copied().collect::<Vec<_>>();
    assert_eq!(seen["survivors"], json!(survived));
    assert_eq!(seen["executed"], json!(vec!["survived"; 6]));
    assert_eq!(
        (&seen["mutants"], &seen["relational"], &seen["two"], &seen["text"]),
        (&json!(15), &json!(3), &json!(1), &json!(1))
    );
    assert_eq!((&seen["kills"], &seen["columns"], &seen["toothless"]), (&json!(2), &json!(6), &json!(1)));
    assert_eq!(seen["reasons"], 2);
}

#[test]
fn source_keys_and_copies_work() {
    let Some(browser) = chromium() else { return };
    let probe = format!(
        "{HELPERS} const seen = {{}};
        let copied = []; document.execCommand = () => {{ copied.push(document.querySelector('textarea').value); return true; }};
        Object.defineProperty(navigator, 'clipboard', {{ value: undefined }});
        press('j'); press('j'); seen.at = document.querySelector('.card.at .place').textContent;
        press('c'); click('#view [data-copy=task]'); seen.copied = copied;
        press('o'); seen.line = document.querySelector('#L5').textContent; seen.open = all('.inline .card').length;
        seen.dots = all('#L5 .dot').length; seen.changed = document.querySelector('#L5').className;
        seen.diff = all('.inline .card')[0].querySelector('.ins').textContent;
        press('d'); seen.dark = document.documentElement.dataset.theme;
        press('3'); seen.tab = document.querySelector('[aria-selected=true]').id;
        return seen;"
    );
    let seen = probed(&browser, &Html.render(&sample::report(), &sample::sources), &probe);
    assert_eq!(seen["at"], "src/pricing.rs:5:27");
    let copied = seen["copied"].as_array().unwrap();
    assert!(copied[0].as_str().unwrap().contains("original   qty > 0\n  mutant     qty >= 0\n"), "{copied:?}");
    assert!(copied[1].as_str().unwrap().starts_with("KILL-TASK  src/pricing.rs:5:8  f  m-"), "{copied:?}");
    assert_eq!((&seen["open"], &seen["dots"]), (&json!(3), &json!(3)));
    assert!(
        seen["line"].as_str().unwrap().contains("if qty >= bulk_min && qty > 0 {") && seen["changed"] == "row changed"
    );
    assert_eq!(seen["diff"], "+     if qty > bulk_min && qty > 0 {");
    assert_eq!((&seen["dark"], &seen["tab"]), (&json!("dark"), &json!("tab-mutants")));
}

#[test]
fn two_thousand_mutants_open_in_less_than_two_seconds() {
    let Some(browser) = chromium() else { return };
    let page = Html.render(&sample::big(2000, 600), &sample::big_sources);
    let probe = format!(
        "{HELPERS} const opened = performance.now(); const first = shown().length;
        const times = ['source', 'mutants', 'matrix', 'tests', 'details'].map(tab => {{
          const start = performance.now(); click('#tab-' + tab); document.body.offsetHeight; return performance.now() - start; }});
        return {{ opened, first, slowest: Math.max(...times), height: document.body.offsetHeight }};"
    );
    let seen = probed(&browser, &page, &probe);
    assert!(seen["opened"].as_f64().unwrap() < 2000.0, "{seen}");
    assert!(seen["slowest"].as_f64().unwrap() < 2000.0, "{seen}");
    assert_eq!(seen["first"], 100, "the first page of survivors");
    eprintln!("{} bytes, {seen}", page.len());
}

#[test]
fn a_report_with_nothing_in_it_opens_too() {
    let Some(browser) = chromium() else { return };
    let mut report = sample::report();
    (report.mutants, report.scope, report.tests) = (vec![], Default::default(), Default::default());
    let seen = probed(
        &browser,
        &Html.render(&report, &|_| None),
        &format!(
            "{HELPERS} return ['survivors', 'source', 'mutants', 'matrix', 'tests', 'details'].map(t => {{ click('#tab-' + t); return document.querySelector('#view').textContent.length > 5; }});"
        ),
    );
    assert_eq!(seen, json!(vec![true; 6]));
}
