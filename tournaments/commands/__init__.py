"""The commands of `timetricks`, by what they work on. Each imports what it needs when it is called."""
