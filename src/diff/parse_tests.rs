use super::*;

fn one(diff: &str) -> FileDiff {
    let mut files = parse(diff.as_bytes()).unwrap();
    assert_eq!(files.len(), 1, "{files:#?}");
    files.remove(0)
}

fn refused(diff: impl AsRef<[u8]>) -> String {
    parse(diff.as_ref()).unwrap_err().to_string()
}

fn hunk(old_start: u32, old_lines: u32, new_start: u32, new_lines: u32) -> Hunk {
    Hunk { old_start, old_lines, new_start, new_lines }
}

const GIT_STYLE: &str = "\
diff --git a/src/a.rs b/src/a.rs
index 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -1 +1,2 @@ fn f()
-old
+new
+newer
@@ -9,0 +11 @@
+added
@@ -12,2 +13,0 @@
-gone
-gone
";

#[test]
fn gits_own_form_gives_path_status_and_hunks() {
    let file = one(GIT_STYLE);
    assert_eq!((file.path(), file.status, file.binary, file.submodule), ("src/a.rs", Status::Modified, false, false));
    assert_eq!(file.hunks, [hunk(1, 1, 1, 2), hunk(9, 0, 11, 1), hunk(12, 2, 13, 0)]);
    assert_eq!(file.old_blob.as_deref(), Some("1111111111111111111111111111111111111111"));
    assert!(file.hunks[2].is_pure_deletion() && file.hunks[2].new_range().is_empty());
}

#[test]
fn context_is_cut_away_to_the_lines_that_changed() {
    let file = one("--- a/x.rs\n+++ b/x.rs\n@@ -1,7 +1,7 @@\n a\n-b\n+B\n c\n\n-d\n e\n+f\n g\n");
    assert_eq!(file.hunks, [hunk(2, 1, 2, 1), hunk(5, 1, 4, 0), hunk(6, 0, 6, 1)]);
}

#[test]
fn a_crlf_diff_reads_like_any_other() {
    let crlf = GIT_STYLE.replace('\n', "\r\n");
    assert_eq!(parse(crlf.as_bytes()).unwrap(), parse(GIT_STYLE.as_bytes()).unwrap());
    let context = "--- a/x.rs\r\n+++ b/x.rs\r\n@@ -1,2 +1,3 @@\r\n a\r\n\r\n+b\r\n";
    assert_eq!(one(context).hunks, [hunk(2, 0, 3, 1)]);
}

#[test]
fn any_prefix_or_none_gives_the_same_path() {
    for (old, new) in [("a/", "b/"), ("", ""), ("i/", "w/"), ("c/", "i/"), ("b/", "a/"), ("old/", "new/")] {
        let text = GIT_STYLE
            .replace("b/src", "NEW")
            .replace("a/src", &format!("{old}src"))
            .replace("NEW", &format!("{new}src"));
        assert_eq!(one(&text).path(), "src/a.rs", "{old:?} {new:?}");
        let plain =
            format!("--- {old}src/a.rs\t2024-01-01 10:00:00\n+++ {new}src/a.rs\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(one(&plain).path(), "src/a.rs", "{old:?} {new:?}");
    }
}

#[test]
fn a_folder_called_a_or_b_is_no_prefix() {
    let added = "diff --git b/x.rs b/x.rs\nnew file mode 100644\n--- /dev/null\n+++ b/x.rs\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!((one(added).path(), one(added).status), ("b/x.rs", Status::Added));
    let changed = "diff --git a/x.rs a/x.rs\n--- a/x.rs\n+++ a/x.rs\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(one(changed).path(), "a/x.rs");
}

#[test]
fn added_deleted_renamed_and_copied_files_are_told_apart() {
    let added = one(
        "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
    );
    assert_eq!((added.status, added.old_path, added.new_path.as_deref()), (Status::Added, None, Some("x")));
    assert_eq!(added.old_blob, None);
    let empty = one("diff --git a/x y b/x y\nnew file mode 100644\nindex 0000000..e69de29\n");
    assert_eq!((empty.status, empty.path(), empty.hunks.len()), (Status::Added, "x y", 0));
    let deleted = one("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
    assert_eq!((deleted.status, deleted.old_path.as_deref(), deleted.new_path), (Status::Deleted, Some("x"), None));
    let renamed = one(
        "diff --git a/o.rs b/n.rs\nsimilarity index 90%\nrename from o.rs\nrename to n.rs\n--- a/o.rs\n+++ b/n.rs\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(renamed.status, Status::Renamed);
    assert_eq!((renamed.old_path.as_deref(), renamed.new_path.as_deref()), (Some("o.rs"), Some("n.rs")));
    let copied = one("diff --git a/o b/n\nsimilarity index 100%\ncopy from o\ncopy to n\n");
    assert_eq!((copied.status, copied.hunks.len()), (Status::Copied, 0));
}

#[test]
fn a_deletion_and_an_addition_of_one_path_is_a_change_of_type() {
    let file = one("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
                    diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+t\n\\ No newline at end of file\n");
    assert_eq!((file.status, file.symlink, file.hunks.len()), (Status::TypeChanged, true, 1));
    assert_eq!((file.old_path.as_deref(), file.new_path.as_deref()), (Some("x"), Some("x")));
}

#[test]
fn binary_and_submodule_changes_are_named() {
    let stated = one("diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n");
    assert!(stated.binary && stated.path() == "x.png");
    let patch =
        "diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 1\nIcmZ\n\n";
    let both = parse(format!("{patch}{GIT_STYLE}").as_bytes()).unwrap();
    assert!(both[0].binary && both[1].path() == "src/a.rs");
    let as_text = "diff --git a/x.png b/x.png\n--- a/x.png\n+++ b/x.png\n@@ -1 +1 @@\n-\0a\n+\0b\n";
    assert!(one(as_text).binary);
    assert!(!one(&as_text.replace("png", "rs")).binary, "a NUL must not hide a source file");
    let short = one(
        "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
    );
    assert!(short.submodule && short.path() == "sub");
    let log = one("Submodule my sub 1111111..2222222:\n  > commit\n");
    assert!(log.submodule && log.path() == "my sub");
}

#[test]
fn unusual_names_are_unquoted() {
    let file = one(
        "diff --git \"a/\\303\\251 \\\"q\\\".rs\" \"b/\\303\\251 \\\"q\\\".rs\"\n--- \"a/\\303\\251 \\\"q\\\".rs\"\n+++ \"b/\\303\\251 \\\"q\\\".rs\"\n@@ -1 +1 @@\n-a\n+b\n",
    );
    assert_eq!(file.path(), "é \"q\".rs");
    let spaces =
        one("diff --git a/my file.rs b/my file.rs\n--- a/my file.rs\t\n+++ b/my file.rs\t\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(spaces.path(), "my file.rs");
}

#[test]
fn bodies_may_be_any_bytes_and_look_like_headers() {
    let mut diff =
        b"--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1,3 @@\n--- a/y\n-\xff\xfe\n+++ b/y\n+@@ -1 +1 @@\n+\xc3\x28\n".to_vec();
    diff.extend_from_slice(b"diff --git a/z.rs b/z.rs\n--- a/z.rs\n+++ b/z.rs\n@@ -0,0 +1 @@\n+a\n");
    let files = parse(&diff).unwrap();
    assert_eq!(files.iter().map(FileDiff::path).collect::<Vec<_>>(), ["x.rs", "z.rs"]);
    assert_eq!(files[0].hunks, [hunk(1, 2, 1, 3)]);
}

#[test]
fn a_mail_around_the_diff_is_passed_over() {
    let mail = format!(
        "From 1234 Mon Sep 17\nSubject: [PATCH] x\n\n--- really ---\n---\n src/a.rs | 2 +-\n\n{GIT_STYLE}-- \n2.47.3\n"
    );
    assert_eq!(parse(mail.as_bytes()).unwrap(), parse(GIT_STYLE.as_bytes()).unwrap());
}

#[test]
fn a_plain_diff_knows_a_new_file_by_its_empty_old_side() {
    let file = one(
        "diff -ruN old/x.rs new/x.rs\n--- old/x.rs\t1970-01-01 00:00:00\n+++ new/x.rs\t2024-01-01\n@@ -0,0 +1,2 @@\n+a\n+b\n",
    );
    assert_eq!((file.status, file.path(), file.old_path.as_deref()), (Status::Added, "x.rs", None));
    assert_eq!(one("--- x.rs.orig\n+++ x.rs\n@@ -1 +1 @@\n-a\n+b\n").path(), "x.rs");
}

#[test]
fn nothing_is_a_diff_of_nothing() {
    assert_eq!(parse(b"").unwrap(), []);
    assert_eq!(parse(b"\n \n").unwrap(), []);
}

#[test]
fn broken_input_is_refused_with_its_line() {
    for (diff, line) in [
        ("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", "line 4: the diff ends inside a hunk"),
        ("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\nrubbish\n", "line 5: the hunk announces 2 more"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n+a\n+b\n-c\n", "line 5"),
        ("--- a/x\n+++ b/x\n@@ -one +1 @@\n", "line 3: broken hunk header"),
        ("--- a/x\n+++ b/x\n@@ -1,99999999999 +1 @@\n", "line 3: broken hunk header"),
        ("--- a/x\n+++ b/x\n@@ -0,2 +1 @@\n", "line 3: broken hunk header"),
        ("--- a/x\n+++ b/x\n@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", "line 6: a hunk that overlaps"),
        ("@@ -1 +1 @@\n-a\n+b\n", "line 1: a hunk without a file header"),
        ("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", "not a path below"),
        ("--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n", "not a path below"),
        ("diff --cc x\n", "line 1: a combined diff"),
    ] {
        let said = refused(diff);
        assert!(said.contains(line), "{diff:?}: {said}");
    }
}

#[test]
fn no_damage_makes_it_panic() {
    for at in 0..GIT_STYLE.len() {
        let _ = parse(&GIT_STYLE.as_bytes()[..at]);
        for byte in [b'\n', b'-', b'+', b'"', b'\\', b'0', b'9', b' ', 0, 0xff] {
            let mut damaged = GIT_STYLE.as_bytes().to_vec();
            damaged[at] = byte;
            let _ = parse(&damaged);
        }
    }
}

#[test]
fn what_is_no_diff_is_refused_with_advice() {
    assert!(refused("hello\n").contains("holds no file header"));
    assert!(refused("\x1b[1mdiff --git a/x b/x\x1b[m\n").contains("--no-color"));
    assert!(refused(b"\xff\xfed\0i\0").contains("UTF-16"));
}

#[test]
fn time_grows_with_the_size_of_the_diff() {
    let mut diff = String::from("--- a/x.rs\n+++ b/x.rs\n");
    for line in 1..=200_000 {
        diff.push_str(&format!("@@ -{0} +{0} @@\n-a\n+b\n", line * 2));
    }
    assert_eq!(one(&diff).hunks.len(), 200_000);
}

#[test]
fn the_new_side_is_known_line_by_line() {
    let sides = new_sides(
        b"--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@\n a\n-b\n+B\n\n@@ -9 +9 @@\n-c\n+C\n\\ No newline at end of file\n",
    );
    let lines: Vec<(u32, &[u8])> = vec![(3, b"a"), (4, b"B"), (5, b""), (9, b"C")];
    assert_eq!(sides.unwrap(), [NewSide { path: "x".into(), lines }]);
}

/// `cargo test --lib a_hundred_megabytes -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn a_hundred_megabytes() {
    let mut diff = String::from("diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -0,0 +1,2000000 @@\n");
    diff.push_str(&"+let some_name = some_function(argument, another);\n".repeat(2_000_000));
    let start = std::time::Instant::now();
    assert_eq!(one(&diff).hunks.len(), 1);
    println!("{} MB in {:?}", diff.len() / 1_000_000, start.elapsed());
}
