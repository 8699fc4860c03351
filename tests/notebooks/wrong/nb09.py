"""Wrong solutions of notebook 09's exercises, each with a part of what it is told."""

BEGINS = "max([done[other] for other in waits_for], default=0)"


def span(begins=BEGINS, cost="cost", last="max(done.values())"):
    return f"""
def span(tasks):
    done = {{}}
    for name, cost, waits_for in tasks:
        done[name] = {begins} + {cost}
    return {last}


check(nb09.span, span)
"""


def brackets(product):
    return f"""
def in_few_steps(X, A, B, C):
    return {product}


check(nb09.brackets, in_few_steps)
"""


JOBS = dict(zip("ABCDEFG", ("doors", "water", "wheel", "seats", "windows", "brake", "out")))


def plan(first, second):
    return f"""
worker_1 = {[JOBS.get(letter, letter) for letter in first]}
worker_2 = {[JOBS.get(letter, letter) for letter in second]}

check(nb09.plan, [worker_1, worker_2])
"""


def names(first, last):
    return [f"v{number}" for number in range(first, last + 1)]


def groups(*parts):
    return f"mine = {list(parts)}\n\ncheck(nb09.groups, mine)\n"


def own(
    formula="torch.sin(x * y) * (x + y) - x**2",
    work="6",
    span="4",
    inputs="dict(x=2.0, y=3.0)",
    workers="2",
):
    return f"""
def my_function(x, y):
    return {formula}


my_inputs = {inputs}
my_work, my_span, my_workers = {work}, {span}, {workers}

check(nb09.own, (my_function, my_inputs, my_work, my_span, my_workers))
"""


WRONG = {
    "span": [
        (span(last="sum(cost for _, cost, _ in tasks)"), "which is the work"),
        (span(cost="1"), "What do they cost?"),
        (span(begins="min([done[other] for other in waits_for], default=0)"), "not only one of"),
        (span(begins="(done[waits_for[-1]] if waits_for else 0)"), "not only the last that is"),
        (span(begins="(done[waits_for[0]] if waits_for else 0)"), "not only the first that is"),
        (span(last="len(done)"), "How many minutes do they take"),
        (span(begins="max(waits_for, default=0)"), "waits_for holds the names of tasks"),
        (span(begins="...", cost="0"), "one gap is still open"),
        (span(begins="sum(done[other] for other in waits_for)"), "really added"),
        (span(last="done[name]"), "the last task of the list"),
        (span(cost="0"), "no task takes any time"),
        (span(begins="0"), "the largest cost of a single task"),
        (span(last="done"), "it returns a dict"),
        (span(last="max(done.values()) + 1"), "too large"),
        (span(last="sum(done.values())"), "all added up"),
        (
            span(begins="sum(done[other] for other in waits_for)", last="sum(done.values())"),
            "go on at the same time",
        ),
        (span(begins="max(done[other] for other in waits_for)"), "waits for nobody"),
        (span(begins="max(done[waits_for], default=0)"), "done has no ()"),
        (span(last="None"), "it returns nothing"),
    ],
    "brackets": [
        (brackets("X @ A @ B @ C"), "48,000, 32,000 and 1,000 multiply-adds, 81,000 together"),
        (brackets("(X @ A) @ (B @ C)"), "80,256 together"),
        (brackets("X @ (A @ B) @ C"), "two of the products are done for all rides"),
        (brackets("X @ (A @ (B @ C))"), "a side of 64"),
        (brackets("A @ B @ C"), "has the shape (3, 2)"),
        (brackets("X @ A @ B"), "its numbers are not those of all four"),
        (brackets("X @ (A @ B @ C) + 0"), "three products with @ are enough"),
        (brackets("X * A"), "multiplies number by number"),
        (brackets("X @ B"), "it raised"),
        (brackets("(X, A)"), "a matrix is wanted"),
        ("check(nb09.brackets, 1896)\n", "a function is wanted"),
    ],
    "plan": [
        (plan("ABCDEFG", ""), "done at minute 15"),
        (plan("ACEG", "BDF"), "done at minute 9"),
        (plan("CFG", "ABD"), "windows is missing"),
        (plan("CFGE", "ABDE"), "windows is there more than once"),
        (plan("CFGH", "ABDE"), "'H' is none of the tasks, doors, water, wheel, seats"),
        (plan(["Wheel", *"FG"], "ABDE"), "'Wheel' is none of the tasks"),
        (plan(["wheel, brake, out"], "ABDE"), "quotation marks of its own"),
        (plan([1, "F", "G"], "ABDE"), "1 is none of the tasks"),
        (plan("FCG", "ABDE"), "brake waits for wheel, which comes after it"),
        (plan("GCF", "ABDE"), "the same list"),
        (plan("EAFC", "BDG"), "windows waits for doors, which comes after it"),
        (plan("CDAF", "BEG"), "seats waits for doors, which comes after it"),
        ("check(nb09.plan, 8)\n", "two lists of names"),
    ],
    "groups": [
        (groups(names(1, 19)), "a single task"),
        (groups(*[[name] for name in names(1, 19)]), "19 tasks, done at minute 30"),
        (
            groups(["v1", "v2"], ["v3", "v4"], names(5, 8), names(9, 16), names(17, 19)),
            "v9 and v13 need not wait for each other",
        ),
        (
            groups(*[[f"v{n}" for n in range(at, 17, 4)] for at in range(1, 5)], names(17, 19)),
            "v1 and v13 need not wait for each other",
        ),
        (
            groups(*[names(at, at + 1) for at in range(1, 17, 2)], ["v17"], ["v18"], ["v19"]),
            "v3 waits for v2 alone",
        ),
        (
            groups(names(1, 4), names(5, 8), names(9, 12), names(13, 19)),
            "v13 waits for nobody, but it is in one task with v17",
        ),
        (
            groups(
                ["v4", "v3", "v2", "v1"], names(5, 8), names(9, 12), names(13, 16), names(17, 19)
            ),
            "v4 waits for v3, which comes after it in the same task",
        ),
        (groups(names(1, 8), names(9, 16)), "v17 is missing"),
        (groups(names(1, 8), names(8, 19)), "v8 is there more than once"),
        (groups(["v1", "v3"], ["v2", *names(4, 19)]), "wait for each other"),
        (groups([*names(1, 19), "v20"]), "'v20' is none of the tasks"),
        (groups(["v1, v2"], names(3, 19)), 'of its own, as in "v1", "v2"'),
        (groups("v1", "v2"), "a list of lists"),
    ],
    "own graph": [
        (own(work="7"), "the work is smaller than 7"),
        (own(work="4", span="6"), "taken work and span for each other"),
        (own(span="3"), "the span is larger than 3"),
        (own(work="4", span="4"), "It counts all its operations"),
        (own(span="6"), "those on the longest path"),
        (own(workers="1"), "with 1 worker our simple rule is not done"),
        (own(workers="3"), "fewer workers than 3"),
        (own(workers="'two'"), "the number of workers has to be a number"),
        (own(workers="1.5"), "it counts workers, and these are whole"),
        (own(workers="0"), "with 0 workers"),
        (own(workers="float('inf')"), "the number of workers cannot be inf"),
        (own(inputs="dict(x='2', y=3.0)"), "x is a text in my_inputs"),
        (own(span="3.5"), "the span cannot be 3.5"),
        (own(inputs="dict(x=2.0)"), "my_inputs does not fit the function: missing"),
        (own(inputs="dict(x=2.0, y=3.0, z=1.0)"), "unexpected"),
        (own(formula="x * y + 1"), "Take a function with five"),
        (own(formula="x.item() * y.item() + 1"), "the tape sees 0 of its operations"),
        (own(formula="(torch.sin(x * y) * (x + y), x**2 - 1)"), "it returns a tuple"),
        (own(formula="torch.exp(torch.sin(x * 2) + 1) ** 2", work="5", span="5"), "one chain"),
        (own(inputs="[2.0, 3.0]"), "its inputs by name"),
        (own(work="'six'"), "the work has to be a number"),
        (own(formula="2 * z"), "NameError"),
        (own(formula="[x * y * x * y * x, None][1]"), "it returns nothing"),
        (
            own(formula="__import__('math').sin(x) + x * y * x * y * x"),
            "what math.sin(), float() or .item() returns",
        ),
    ],
}
