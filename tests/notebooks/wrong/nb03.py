"""Wrong solutions of notebook 03's exercises, each with a part of what it is told."""


def jump(answer):
    return f"mine = {answer}\n\ncheck(nb03.jump, mine)"


def guard(body):
    return f"def guard(a):\n    {body}\n\n\ncheck(nb03.guard, guard)"


def choice(result, w="torch.sigmoid((x - t) / 0.1)"):
    return (
        f"def soft_choice(x, t, a, b):\n    w = {w}\n    return {result}\n\n\n"
        "check(nb03.soft_choice, soft_choice)"
    )


def with_if(body):
    return f"def with_if(x):\n    {body}\n\n\ncheck(nb03.clip_with_if, with_if)"


def without_if(result):
    return f"def without_if(x):\n    return {result}\n\n\ncheck(nb03.clip_without_if, without_if)"


def own(result, place):
    return (
        f"def program(x):\n    return {result}\n\n\njumps_at = {place}\n\n"
        "check(nb03.own_jump, (program, jumps_at))"
    )


WRONG = {
    "own jump": [
        (own("x * x if x > 1 else -x", 2), "at 2 nothing jumps"),
        (own("x if x > 0 else 2 * x", 0), "there is a kink"),
        (own("x * x if x > 1 else -x", "'1'"), "has to be a number"),
        (own("x.item() ** 2 if x > 1 else -x", 1), "take the number out of the graph"),
        (own("z * x", 1), "it raised NameError"),
        ("check(nb03.own_jump, 1)", "a function and a number are wanted"),
    ],
    "jump": [
        (jump("[1.953125, 1024, 512]"), "the jump that you have seen"),
        (jump("[0.25, 2048, 1024]"), "is not between 0.5 and 1.9"),
        (jump("[1.0, 2048, 1024]"), "nothing jumps at 1"),
        (jump("[1000 / 1024, 1024, 2048]"), "have changed places"),
        (jump("[1000 / 1024, 1024, 512]"), "the slopes at the other jump"),
        (jump("[1000 / 1024, 11, 10]"), "so often it is doubled"),
        (jump("[1000 / 1024, 22, 20]"), "doublings multiply"),
        (jump("[1000 / 1024, 2000, 1000]"), "those are its values"),
        (jump("[1000 / 1024, 1024, 1024]"), "two slopes"),
        (jump("[1000 / 1024, 4096, 2048]"), "count the doublings"),
        (jump("1000 / 1024"), "three numbers are wanted"),
        (jump("['there', 2048, 1024]"), "it raised ValueError"),
    ],
    "guard": [
        (guard("return len(bin(int(1000 / abs(a))))"), "only one of them is negative, and"),
        (guard("return a < 0"), "but are doubled"),
        (guard("return 1"), "both get the key 1, but are doubled"),
        (guard("return a"), "each input has a key of its own"),
        (guard("return round(abs(a), 3), nb03.route(a)"), "inputs that take the same path"),
        (guard("return torch.tensor(a)"), "Use plain numbers"),
        (guard("return a.sign()"), "it raised AttributeError"),
        ("check(nb03.guard, 3)", "a function is wanted"),
    ],
    "soft choice": [
        (choice("a if x > t else b"), "it still jumps"),
        (choice("w * b + (1 - w) * a"), "have changed places"),
        (choice("w * a"), "far below t it gives 0"),
        (choice("w * a + b"), "b is added in full"),
        (choice("w * a + (1 - w) * b", "torch.sigmoid((x - t) / 0.1).detach()"), "no history"),
        (choice("w * a + (1 - w) * b", "torch.sigmoid(x - t)"), "10 times too wide"),
        (choice("w * a + (1 - w) * b", "torch.sigmoid((x - t) * 0.1)"), "100 times too wide"),
        (choice("w * a + (1 - w) * c"), "it raised NameError"),
        (choice("w * a - (1 - w) * b"), "called with"),
    ],
    "clip with if": [
        (with_if("return x * x"), "it never clips"),
        (with_if("return 2.0 if x > 2 else x"), "does not square"),
        (with_if("return 2.0 if x * x > 2 else x * x"), "clips the square"),
        (with_if("return x * x if x > 2 else 4.0"), "keep what is below"),
        (with_if("return 4.0 if abs(x) > 2 else x * x"), "it clips at −2, too"),
        (with_if("return x * x + (4 - x * x).item() if x > 2 else x * x"), "a gradient still"),
        (with_if("return x.item() ** 2 if x < 2 else 4.0"), "below 2 no gradient"),
        (with_if("return torch.clamp(x, max=2) ** 2"), "leave the same graph"),
        (with_if("return y"), "it raised NameError"),
    ],
    "clip without if": [
        (without_if("x ** 2"), "it never clips"),
        (without_if("torch.clamp(x, max=2)"), "does not square"),
        (without_if("torch.clamp(x ** 2, max=2)"), "clips the square"),
        (without_if("torch.maximum(x, torch.tensor(2.0)) ** 2"), "keep what is below"),
        (without_if("torch.clamp(x, -2, 2) ** 2"), "it clips at −2, too"),
        (without_if("torch.clamp(x.detach(), max=2) ** 2"), "below 2 no gradient"),
        (without_if("4.0 if x > 2 else x * x"), "there is a branch in it"),
        (without_if("torch.minimum(x, 2) ** 2"), "it raised TypeError"),
    ],
}
