use tickets::Queue;

#[test]
fn it_runs() {
    Queue::default().draw();
}

#[test]
fn the_number_is_a_number() {
    let number = Queue::default().draw();
    assert_eq!(number, number);
}

#[test]
fn numbers_count_up() {
    let mut queue = Queue::default();
    assert_eq!((queue.draw(), queue.draw()), (1, 2));
}
