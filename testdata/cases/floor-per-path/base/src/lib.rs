pub mod strict;
