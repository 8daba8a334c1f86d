macro_rules! both_ways {
    ($($name:ident: $n:literal => $s:literal,)*) => {
        $(
            mod $name {
                #[test]
                fn reads() {
                    assert_eq!(roman::read($s), $n);
                }

                #[test]
                fn writes() {
                    assert_eq!(roman::write($n), $s);
                }
            }
        )*
    };
}
