//! A whole campaign over real processes.

use super::*;
use crate::exec::tests::recorded;
use crate::exec::{Limits, Pool, Processes, Replay, Sandbox};

#[test]
fn real_processes_get_true_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let pool = Pool::new(dir.path(), 2, &Sandbox::default()).unwrap();
    // the first dies of switch 1 and stops itself on switch 2; the second hangs on any; the third never minds
    let commands: [&[&str]; 3] = [&["mutated"], &["mutated-to-hang"], &["pass"]];
    let limits = |ms| Limits { wall: Duration::from_millis(ms), hits: Some(1_000), memory: None };
    let walls = [60_000, 1_000, 60_000].map(limits);
    let replay = |(args, limits): (&&[&str], Limits)| Replay { recorded: recorded(args), limits };
    let replays = commands.iter().zip(walls).map(replay).collect();
    let test = |ms| Test { name: "main".into(), duration: Duration::from_millis(ms) };
    let woven = |switch, executed_by: &[usize]| Job::Woven { switch, executed_by: executed_by.into(), place: 0 };
    let jobs = [woven(1, &[0, 2]), woven(2, &[0, 2]), woven(3, &[0, 2]), woven(4, &[1]), woven(5, &[])];
    let processes = Processes::new(&pool, replays);
    let options = Options { jobs: pool.size(), exhaustive: false };
    let campaign = run(&processes, &[test(1), test(3), test(2)], &jobs, options, &Ending::default(), &());

    let verdicts: Vec<_> = campaign.outcomes.iter().map(|o| (o.verdict, o.reason.as_deref())).collect();
    let expected = [
        (Verdict::Killed, None),
        (Verdict::Timeout, Some("hits")),
        (Verdict::Survived, None),
        (Verdict::Timeout, Some("time")),
        (Verdict::Unexecuted, None),
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(campaign.outcomes[0].killed_by, [(0, How::Panic)]);
    assert_eq!(campaign.toothless, [2]);
}
