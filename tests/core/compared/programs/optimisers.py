"""Programs about optimisers and learning rates: where 20 steps lead, and what is refused."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

import copy
import io
import pickle


def steps(torch, make, count=20, dtype="float64"):
    """Three parameters of different shapes after so many steps, and what is remembered of them."""
    kind = getattr(torch, dtype)
    start = torch.linspace(-1.0, 1.5, 6, dtype=kind).reshape(2, 3)
    params = [start.clone(), torch.tensor([0.5, -2.0], dtype=kind), torch.tensor(3.0, dtype=kind)]
    for param in params:
        param.requires_grad_()
    optimiser = make(params)
    path = []
    for number in range(count):
        optimiser.zero_grad()
        a, b, c = params
        loss = (
            (a * a).sum() * (1 + 0.1 * number) + (b - 1).pow(4).sum() + (c * a[0, 0] - 2) ** 2
        ).sum()
        loss.backward()
        optimiser.step()
        path.append(loss.item())
    return [path, params, optimiser.state_dict()["state"]]


def made(torch, name, **options):
    """An optimiser of one parameter that has a gradient."""
    w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    (w * w).sum().backward()
    return getattr(torch.optim, name)([w], **options)


def curve(torch, make, count=12, lr=0.5, name="SGD", **options):
    """The learning rates that a scheduler gives, for two groups."""
    v, w = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    optimiser = getattr(torch.optim, name)(
        [{"params": [v]}, {"params": [w], "lr": lr / 10}], lr=lr, **options
    )
    scheduler = make(torch.optim.lr_scheduler, optimiser)
    found = [[*scheduler.get_last_lr()]]
    for _ in range(count):
        optimiser.step()
        scheduler.step()
        assert scheduler.get_last_lr() == [group["lr"] for group in optimiser.param_groups]
        found.append([*scheduler.get_last_lr()])
    return [found, scheduler.last_epoch, sorted(scheduler.state_dict())]


def momenta(torch, name, **options):
    """The momentum, or the first beta, under OneCycleLR."""
    w = torch.tensor(1.0, requires_grad=True)
    optimiser = getattr(torch.optim, name)([w], lr=0.1, **options)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=1.0, total_steps=10)
    found = []
    for _ in range(9):
        group = optimiser.param_groups[0]
        found.append(group["betas"][0] if "betas" in group else group["momentum"])
        optimiser.step()
        scheduler.step()
    return [found, scheduler.get_last_lr()]


def plateau(torch, values, **options):
    """The learning rates after each of these losses."""
    optimiser = made(torch, "SGD", lr=1.0)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, **options)
    found = []
    for value in values:
        scheduler.step(value)
        found += [scheduler.get_last_lr()[0], scheduler.num_bad_epochs, scheduler.in_cooldown]
    return [found, sorted(scheduler.state_dict())]


VALUES = {
    name: f"lambda *args, **options: programs.{name}(torch, *args, **options)"
    for name in ("steps", "made", "curve", "momenta", "plateau")
}
VALUES = {"programs": f"__import__('sys').modules[{__name__!r}]", **VALUES}
VALUES["o"] = "torch.optim"
VALUES["leaf"] = "lambda value=1.0: torch.tensor(value, requires_grad=True)"
VALUES["LR"] = "torch.optim.lr_scheduler"

EXPRESSIONS = """
# trajectories
steps(lambda p: o.SGD(p, lr=0.02))
steps(lambda p: o.SGD(p, lr=0.02, momentum=0.9))
steps(lambda p: o.SGD(p, lr=0.02, momentum=0.9, dampening=0.3))
steps(lambda p: o.SGD(p, lr=0.02, momentum=0.9, nesterov=True))
steps(lambda p: o.SGD(p, lr=0.02, weight_decay=0.1))
steps(lambda p: o.SGD(p, lr=0.02, momentum=0.9, weight_decay=0.1, nesterov=True))
steps(lambda p: o.SGD(p, lr=0.001, momentum=0.5, maximize=True), 5)
steps(lambda p: o.SGD(p))
steps(lambda p: o.SGD(p, lr=0.02, momentum=0.9), dtype="float32", count=8)
steps(lambda p: o.SGD(p, lr=torch.tensor(0.02), momentum=0.9))
steps(lambda p: o.Adam(p))
steps(lambda p: o.Adam(p, lr=0.1))
steps(lambda p: o.Adam(p, lr=0.1, betas=(0.5, 0.9), eps=1e-3))
steps(lambda p: o.Adam(p, lr=0.1, weight_decay=0.1))
steps(lambda p: o.Adam(p, lr=0.1, amsgrad=True))
steps(lambda p: o.Adam(p, lr=0.1, amsgrad=True, weight_decay=0.1, maximize=True), 5)
steps(lambda p: o.Adam(p, lr=0.1, decoupled_weight_decay=True, weight_decay=0.1))
steps(lambda p: o.Adam(p, lr=0.1), dtype="float32", count=8)
steps(lambda p: o.AdamW(p))
steps(lambda p: o.AdamW(p, lr=0.1, weight_decay=0.3))
steps(lambda p: o.AdamW(p, lr=0.1, amsgrad=True, maximize=True), 5)
steps(lambda p: o.RMSprop(p))
steps(lambda p: o.RMSprop(p, lr=0.05, alpha=0.9, eps=1e-3))
steps(lambda p: o.RMSprop(p, lr=0.05, momentum=0.9))
steps(lambda p: o.RMSprop(p, lr=0.05, centered=True))
steps(lambda p: o.RMSprop(p, lr=0.05, centered=True, momentum=0.5, weight_decay=0.1))
steps(lambda p: o.RMSprop(p, lr=0.01, maximize=True), 5)
steps(lambda p: o.Adagrad(p))
steps(lambda p: o.Adagrad(p, lr=0.3))
steps(lambda p: o.Adagrad(p, lr=0.3, lr_decay=0.1, weight_decay=0.1))
steps(lambda p: o.Adagrad(p, lr=0.3, initial_accumulator_value=0.5, eps=0.1))
steps(lambda p: o.Adagrad(p, lr=0.3, maximize=True), 5)
steps(lambda p: o.SGD([{"params": p[:1], "lr": 0.05}, {"params": p[1:], "momentum": 0.5}], lr=0.01))
steps(lambda p: o.Adam([{"params": p[:1], "lr": 0.05}, {"params": p[1:], "betas": (0.5, 0.5)}], lr=0.01))
# printed
made("SGD")
made("SGD", lr=0.1, momentum=0.9, foreach=False)
made("Adam", lr=0.1)
made("AdamW")
made("RMSprop")
made("Adagrad")
repr(o.SGD([{"params": [leaf()], "lr": 0.1}, {"params": [leaf()], "note": "mine"}], lr=1))
# their parts
made("SGD", lr=0.1).defaults
made("Adam").state_dict()
made("Adagrad").state_dict()
[(s.step(), s.state_dict())[1] for s in [made("SGD", momentum=0.9)]]
[(s.step(), s.state_dict())[1] for s in [made("Adam", amsgrad=True)]]
[(s.step(), s.state_dict())[1] for s in [made("RMSprop", momentum=0.9, centered=True)]]
[(s.step(), dict(s.state))[1] for s in [made("SGD")]]
sorted(made("SGD").param_groups[0])
o.SGD([("a", leaf()), ("b", leaf(2.0))]).param_groups
o.SGD([("a", leaf()), ("b", leaf(2.0))]).state_dict()
o.SGD(iter([leaf()])).param_groups[0]["params"]
o.SGD({"a": leaf()}.values()).param_groups[0]["params"]
o.SGD([{"params": leaf()}]).param_groups[0]["params"]
# refused
o.SGD([])
o.SGD([1.0])
o.SGD([leaf() * 2])
o.SGD([t(1.0)])
o.SGD({leaf()})
o.SGD([{"params": {leaf()}}])
o.SGD([{"lr": 0.1}])
o.SGD([{"params": []}]).param_groups[0]["params"]
o.SGD([leaf()], lr=-1)
o.SGD([leaf()], momentum=-0.1)
o.SGD([leaf()], weight_decay=-0.1)
o.SGD([leaf()], nesterov=True)
o.SGD([leaf()], nesterov=True, momentum=0.9, dampening=0.1)
o.SGD([leaf()], no_such=1)
o.SGD([leaf()], 0.1, 0.9, 0, 0, False, True)
o.Adam([leaf()], lr=-1)
o.Adam([leaf()], eps=-1)
o.Adam([leaf()], betas=(1.0, 0.9))
o.Adam([leaf()], betas=(0.9, -0.1))
o.Adam([leaf()], betas=(0, 0.9))
o.Adam([leaf()], weight_decay=-1)
o.Adam([leaf()], momentum=0.9)
o.AdamW([leaf()], decoupled_weight_decay=True)
o.RMSprop([leaf()], alpha=-1)
o.RMSprop([leaf()], momentum=-1)
o.RMSprop([leaf()], eps=-1)
o.Adagrad([leaf()], lr_decay=-1)
o.Adagrad([leaf()], initial_accumulator_value=-1)
o.Adagrad([leaf()], lr=-1)
(lambda w: o.SGD([w, w]))(leaf()).param_groups[0]["params"]
(lambda w: o.SGD([{"params": [w]}, {"params": [w]}]))(leaf())
o.SGD([("a", leaf()), leaf()])
(lambda s: s.add_param_group({"params": [("b", leaf())]}))(made("SGD"))
made("SGD").add_param_group([leaf()])
made("SGD").add_param_group({"params": [leaf() * 2]})
made("SGD").load_state_dict({"state": {}, "param_groups": []})
made("SGD").load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
o.Optimizer([leaf()], {"lr": 1}).step()
o.Optimizer([leaf()], {"lr": 1})
# schedules
curve(lambda S, opt: S.StepLR(opt, 3))
curve(lambda S, opt: S.StepLR(opt, step_size=2, gamma=0.5))
curve(lambda S, opt: S.MultiStepLR(opt, [2, 5, 5]))
curve(lambda S, opt: S.MultiStepLR(opt, milestones=[1], gamma=0.5))
curve(lambda S, opt: S.ExponentialLR(opt, 0.9))
curve(lambda S, opt: S.CosineAnnealingLR(opt, 5))
curve(lambda S, opt: S.CosineAnnealingLR(opt, T_max=4, eta_min=0.01), count=20)
curve(lambda S, opt: S.LambdaLR(opt, lambda epoch: 0.95**epoch))
curve(lambda S, opt: S.LambdaLR(opt, [lambda epoch: 1 / (1 + epoch), lambda epoch: epoch]))
curve(lambda S, opt: S.LinearLR(opt))
curve(lambda S, opt: S.LinearLR(opt, start_factor=0.1, end_factor=0.5, total_iters=4))
curve(lambda S, opt: S.OneCycleLR(opt, max_lr=1.0, total_steps=13), momentum=0.9)
curve(lambda S, opt: S.OneCycleLR(opt, max_lr=[1.0, 0.1], epochs=3, steps_per_epoch=5), momentum=0.9)
curve(lambda S, opt: S.OneCycleLR(opt, max_lr=1.0, total_steps=13, anneal_strategy="linear", three_phase=True), name="Adam")
curve(lambda S, opt: S.OneCycleLR(opt, max_lr=1.0, total_steps=20, pct_start=0.5, cycle_momentum=False, div_factor=10, final_div_factor=100), 19)
curve(lambda S, opt: S.OneCycleLR(opt, max_lr=1.0, total_steps=5), momentum=0.9)
curve(lambda S, opt: S.SequentialLR(opt, [S.LinearLR(opt, 0.1, total_iters=3), S.CosineAnnealingLR(opt, 8)], [3]))
curve(lambda S, opt: S.SequentialLR(opt, [S.ExponentialLR(opt, 0.9), S.StepLR(opt, 2), S.LambdaLR(opt, lambda e: 1 / (e + 1))], [2, 6]))
momenta("SGD", momentum=0.5)
momenta("Adam")
plateau([1.0, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5], patience=1)
plateau([1.0, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5], patience=0, cooldown=2, factor=0.5)
plateau([0.1, 0.2, 0.2, 0.2, 0.3], mode="max", patience=0)
plateau([1.0, 0.99, 0.98, 0.97, 0.96], patience=0, threshold=0.02, threshold_mode="abs")
plateau([-1.0, -1.0, -1.1, -1.1], patience=0, threshold=0.2)
plateau([1.0] * 8, patience=0, min_lr=0.05)
plateau([1.0] * 8, patience=0, eps=0.05)
plateau([nan, nan, 1.0], patience=0)
plateau([t(1.0), t(2.0), t(2.0)], patience=0)
# schedules refused, and warned of
LR.StepLR(made("SGD"), 2).step()
LR.StepLR("no", 2)
LR.StepLR(made("SGD"), 2, last_epoch=3)
LR.ExponentialLR(made("SGD"), 0.5).get_lr()
LR.LambdaLR(made("SGD"), [lambda e: 1, lambda e: 2])
LR.LinearLR(made("SGD"), start_factor=0)
LR.LinearLR(made("SGD"), end_factor=2)
LR.OneCycleLR(made("SGD", momentum=0.9), 1.0)
LR.OneCycleLR(made("SGD", momentum=0.9), 1.0, total_steps=0)
LR.OneCycleLR(made("SGD", momentum=0.9), 1.0, total_steps=5, pct_start=2.0)
LR.OneCycleLR(made("SGD", momentum=0.9), 1.0, total_steps=5, anneal_strategy="none")
LR.OneCycleLR(made("Adagrad"), 1.0, total_steps=5)
isinstance(LR.StepLR(made("SGD"), 2), LR._LRScheduler)
issubclass(LR._LRScheduler, LR.LRScheduler), isinstance(made("SGD"), LR._LRScheduler)
LR.ReduceLROnPlateau(made("SGD"), factor=1.0)
LR.ReduceLROnPlateau(made("SGD"), mode="no")
LR.ReduceLROnPlateau(made("SGD"), threshold_mode="no")
LR.ReduceLROnPlateau(made("SGD"), min_lr=[0, 0])
LR.ReduceLROnPlateau(made("SGD")).step()
LR.SequentialLR(made("SGD"), [], [])
LR.SequentialLR(made("SGD"), [LR.StepLR(made("SGD"), 2)], [])
(lambda s: LR.SequentialLR(s, [LR.StepLR(s, 2)], [1]))(made("SGD"))
LR.LRScheduler(made("SGD"))
"""


def scheduled(torch, count=6):
    w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([w], lr=0.1)
    return w, optimiser, torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 10)


def train(w, optimiser, scheduler, count):
    for _ in range(count):
        optimiser.zero_grad()
        ((w - 3) ** 4).sum().backward()
        optimiser.step()
        scheduler.step()


def going_on_from_state_dicts(torch):
    w, optimiser, scheduler = scheduled(torch)
    train(w, optimiser, scheduler, 4)
    saved = copy.deepcopy([w.detach(), optimiser.state_dict(), scheduler.state_dict()])
    train(w, optimiser, scheduler, 4)
    again, second, third = scheduled(torch)
    with torch.no_grad():
        again.copy_(saved[0])
    second.load_state_dict(saved[1])
    third.load_state_dict(saved[2])
    train(again, second, third, 4)
    return [w, again, optimiser.state_dict(), second.state_dict(), third.get_last_lr()]


def loaded_state_takes_the_dtype_of_the_parameter(torch):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    w.sum().backward()
    first = torch.optim.Adam([w])
    first.step()
    second = torch.optim.Adam([torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)])
    second.load_state_dict(first.state_dict())
    state = second.state_dict()["state"][0]
    return [state, state["step"] is first.state_dict()["state"][0]["step"]]


def adam_state_loaded_into_adamw(torch):
    w = torch.tensor([1.0], requires_grad=True)
    first, second = torch.optim.Adam([w]), torch.optim.AdamW([w])
    second.load_state_dict(first.state_dict())
    return [
        second.param_groups[0]["decoupled_weight_decay"],
        second.param_groups[0]["weight_decay"],
    ]


def an_optimiser_survives_deepcopy_and_pickle(torch):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    optimiser = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    optimiser.step()
    twin = copy.deepcopy(optimiser)
    other = pickle.load(io.BytesIO(pickle.dumps(optimiser)))
    return [twin, other, twin.state_dict(), other.state_dict()]


def an_optimiser_of_ones_own(torch):
    class Signs(torch.optim.Optimizer):
        def __init__(self, params, lr=0.1):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.state[p]["count"] = self.state[p].get("count", 0) + 1
                        p.add_(p.grad.sign(), alpha=-group["lr"])

    w = torch.tensor([1.0, -2.0], requires_grad=True)
    optimiser = Signs([w])
    scheduler = torch.optim.lr_scheduler.StepLR(optimiser, 1, 0.5)
    for _ in range(3):
        optimiser.zero_grad()
        (w * w).sum().backward()
        optimiser.step()
        scheduler.step()
    return [w, optimiser, optimiser.state_dict()]


def closures_and_missing_gradients(torch):
    w, unused = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    optimiser = torch.optim.Adam([w, unused], lr=0.1)

    def closure():
        optimiser.zero_grad()
        loss = (w - 3) ** 2
        loss.backward()
        return loss

    with torch.no_grad():
        losses = [optimiser.step(closure).item() for _ in range(3)]
    return [losses, w, unused, len(optimiser.state), optimiser.step()]


def gradients_become_zero_or_none(torch):
    w = torch.tensor([2.0], requires_grad=True)
    (w**3).sum().backward(create_graph=True)
    optimiser = torch.optim.SGD([w], lr=0.1)
    kept = w.grad
    optimiser.zero_grad(set_to_none=False)
    found = [w.grad, w.grad is kept, w.grad.requires_grad]
    optimiser.zero_grad()
    return [*found, w.grad]


def a_step_is_a_write(torch):
    w = torch.tensor([2.0], requires_grad=True)
    loss = (w**2).sum()
    w.grad = torch.ones(1)
    torch.optim.Adam([w], lr=0.1).step()
    loss.backward()


def views_see_the_step(torch):
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    row = w.detach()[0]
    w.T.sum().backward()
    torch.optim.RMSprop([w], lr=0.1).step()
    return [row, w]


def a_rate_changed_by_hand_stays(torch):
    w = torch.tensor(1.0, requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=1.0)
    schedulers = [
        torch.optim.lr_scheduler.StepLR(optimiser, 2),
        torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.5),
    ]
    found = []
    for number in range(6):
        optimiser.step()
        for scheduler in schedulers:
            scheduler.step()
        if number == 3:
            optimiser.param_groups[0]["lr"] = 7.0
        found.append(optimiser.param_groups[0]["lr"])
    return found


def groups_added_later(torch):
    v, w = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    optimiser = torch.optim.Adagrad([v], lr=0.5)
    optimiser.add_param_group({"params": w, "lr": 0.1})
    (v * w * 3).backward()
    optimiser.step()
    return [v, w, optimiser.state_dict()]


def gradients_of_all_kinds_become_zero(torch):
    """A recorded one, one that requires a gradient itself, and one that is a view."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=0.1)
    (recorded,) = torch.autograd.grad((w * w).sum(), w, create_graph=True)
    found = []
    for g in (recorded, torch.ones(2, requires_grad=True), torch.ones(4)[::2]):
        w.grad = g
        optimiser.zero_grad(set_to_none=False)
        found += [w.grad is g, g, g.requires_grad]
    return found


def a_group_added_after_a_plateau(torch):
    v, w = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    optimiser = torch.optim.SGD([v], lr=0.5)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, patience=0)
    optimiser.add_param_group({"params": [w]})
    for _ in range(3):
        scheduler.step(1.0)
    return [group["lr"] for group in optimiser.param_groups]


def nothing_to_do_with_infinities(torch):
    w = torch.tensor([1.0, 2.0, 3.0, 0.0], requires_grad=True)
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        w.grad = torch.tensor([math_inf(), -math_inf(), float("nan"), 0.0])
        getattr(torch.optim, name)([w], lr=0.1).step()
    return w


def math_inf():
    return float("inf")


def empty_parameters(torch):
    w = torch.zeros(0, 3, requires_grad=True)
    w.sum().backward()
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        getattr(torch.optim, name)([w], lr=0.1).step()
    return w


PROGRAMS = [
    going_on_from_state_dicts,
    loaded_state_takes_the_dtype_of_the_parameter,
    adam_state_loaded_into_adamw,
    an_optimiser_survives_deepcopy_and_pickle,
    an_optimiser_of_ones_own,
    closures_and_missing_gradients,
    gradients_become_zero_or_none,
    a_step_is_a_write,
    views_see_the_step,
    a_rate_changed_by_hand_stays,
    groups_added_later,
    gradients_of_all_kinds_become_zero,
    a_group_added_after_a_plateau,
    nothing_to_do_with_infinities,
    empty_parameters,
]

OTHER_WORDS = {
    # says also which key, or what would be wanted
    'o.SGD([{"lr": 0.1}])',
}
