"""What a learner would change in notebook 09, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "((a + b) + (c + d)) + ((e + f) + (g + h))", "(a + b) + (c + d + e + f + g + h)"),
    ("setup", "a=13.0", "a=13"),
    ("setup", "return a + b + c + d + e + f + g + h\n", "return 120.0\n"),
    ("rides", "(8, 28)]", "(8, 28), (1, 7)]"),
    ("rides", "(squares[0] + squares[1]) + (squares[2] + squares[3])", "squares[0]"),
    ("schedule-run", "(1, 2, 3, 4, 100)", "(0, 19, 20)"),
    ("chain-guess", "side = 64", "side = 4"),
    ("back-run", "depth=8", "depth=1"),
    ("back-run", "ways.back, 2", "ways.forward, 4"),
    ("meet-run", "(run_tasks, 3.0)", "(run_tasks, 0)"),
    ("walk", "rate=2.0", "rate=3.0"),
    ("times-run", "(1, 64, 256)", "(2, 8)"),
    ("large-run", "1024", "8"),
    ("eight", "in weights]", "in weights[:2]]"),
    ("wide-times", "2.0", "3.0"),
    ("lanes-guess", "(launch + math.ceil(width / lanes))", "max(launch, math.ceil(width / lanes))"),
    ("handing-run", "workers=4, overhead=4", "workers=2, overhead=0"),
    ("wide-guess", "range(250)", "range(3)"),
    ("lanes-guess", "launch=50", "launch=1"),
    ("lanes-run", "(1, 1000)", "(1, 50, 250)"),
]
