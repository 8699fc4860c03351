"""Corners of modules and of what trains them, as published programs use them."""

from __future__ import annotations

import copy
import inspect
import pickle

EXPRESSIONS = """
t([[3.0, 1.0], [2.0, 4.0]]).min(dim=torch.tensor(1))
t([[3.0, 1.0], [2.0, 4.0]]).max(dim=torch.tensor(0), keepdim=True)
torch.max(t([3.0, 1.0]), other=t([2.0, 2.0]))
torch.min(t([3.0, 1.0]), t([2.0, 2.0]))
t([[3.0, 1.0], [2.0, 4.0]]).max(1, True)
t([[3.0, 1.0], [2.0, 4.0]]).max(axis=1)
# a number and a tensor of one number as bounds
t([-1.0, 0.5, 3.0]).clamp(0, t(1.0))
t([-1.0, 0.5, 3.0]).clamp(t(0.0), 1)
t([-1.0, 0.5, 3.0]).clamp(min=t(0.0), max=1)
t([-1.0, 0.5, 3.0]).clamp(2, t(1.0))
t([-1.0, 0.5, 3.0]).clamp(t(2), 1.5)
t([-1.0, 0.5, 3.0]).clamp_(0, t(1.0))
t([-1.0, nan]).clamp(0, t(nan))
t([1, 2, 3]).clamp(0, t(2))
t([1, 2, 3]).clamp(0.5, t(2))
t([1, 2, 3]).clamp(t(2.5), 4)
t([1, 2, 3], dtype=torch.uint8).clamp(t(2), 300)
t([1, 2, 3]).clamp_(0, t(1.0))
t([1.0, 2.0]).clamp(0, t([1.0]))
t([1.0, 2.0]).clamp(t([1.0]), 2)
t([1.0, 2.0]).clamp(0, t(1.0, requires_grad=True))
t([1.0, 2.0]).clamp("a", t(2.0))
t([1.0, 2.0]).clamp(t(2.0), "a")
t([1.0, 2.0]).clamp(t(2.0), [1])
# an integer in a 0-d tensor as a dimension
torch.ones(2, 3).softmax(t(-1))
torch.ones(2, 3).sum(t(1))
torch.ones(2, 3).sum((t(0), 1))
torch.ones(2, 3).mean(dim=t(1, dtype=torch.int8), keepdim=True)
torch.ones(2, 3).argmax(t(1))
torch.ones(2, 3).size(t(1))
torch.ones(2, 3).unsqueeze(t(1)).shape
torch.ones(2, 3).transpose(0, t(1)).shape
torch.ones(2, 3).movedim(0, t(1)).shape
torch.ones(2, 3).permute(t(1), t(0)).shape
torch.ones(2, 3).cumsum(t(1))
torch.ones(2, 3).flatten(t(0))
torch.ones(2, 3).gather(t(1), t([[0], [2]]))
torch.cat([torch.ones(2, 1), torch.zeros(2, 1)], t(1))
torch.stack([torch.ones(2), torch.zeros(2)], dim=t(1))
F.log_softmax(torch.ones(2, 3), dim=t(1)).shape
torch.ones(2, 3).softmax(t(2))
torch.ones(2, 3).softmax(t(1.0))
torch.ones(2, 3).softmax(t(True))
torch.ones(2, 3).softmax(t([1]))
"""

# PyTorch: "got (str, Tensor), but expected one of", where we name the argument; and it names the
# argument that is a wrong dimension, where we say "dim".
OTHER_WORDS = {
    't([1.0, 2.0]).clamp("a", t(2.0))',
    't([1.0, 2.0]).clamp(t(2.0), "a")',
    "t([1.0, 2.0]).clamp(t(2.0), [1])",
    "torch.ones(2, 3).softmax(t(1.0))",
    "torch.ones(2, 3).softmax(t(True))",
    "torch.ones(2, 3).softmax(t([1]))",
}


def counting(torch, count=0):
    class Counting(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Linear(1, 1)
            self.scale = torch.nn.Parameter(torch.ones(1))
            self.count = count

        def get_extra_state(self):
            return {"count": self.count}

        def set_extra_state(self, state):
            self.count = state["count"]

    return Counting(count)


def refused(model, state):
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        return str(error)


def extra_state_is_part_of_the_state(torch):
    model = torch.nn.Sequential(counting(torch, 3), torch.nn.ReLU())
    state = model.state_dict()
    other = torch.nn.Sequential(counting(torch), torch.nn.ReLU())
    told = other.load_state_dict(state)
    return list(state), state["0._extra_state"], other[0].count, told


def extra_state_is_missed(torch):
    model = counting(torch, 3)
    state = model.state_dict()
    del state["_extra_state"]
    return model.load_state_dict(state, strict=False), refused(model, state)


def extra_state_that_nobody_expects(torch):
    model = torch.nn.ReLU()
    state = {"_extra_state": 1}
    return model.load_state_dict(state, strict=False), refused(model, state)


def extra_state_that_nobody_takes(torch):
    class Half(torch.nn.Module):
        def get_extra_state(self):
            return 1

    model = Half()
    return refused(model, model.state_dict())


def extra_state_that_nobody_gives(torch):
    class Half(torch.nn.Module):
        def set_extra_state(self, state):
            self.state = state

    model = Half()
    state = model.state_dict()
    return list(state), model.load_state_dict(state, strict=False), refused(model, state)


def extra_state_of_the_base(torch):
    torch.nn.Module().get_extra_state()


def extra_state_given_to_the_base(torch):
    torch.nn.Module().set_extra_state(1)


def a_module_that_renames_old_keys(torch):
    class Renamed(torch.nn.Linear):
        def _load_from_state_dict(self, state_dict, prefix, *rest):
            if prefix + "w" in state_dict:
                state_dict[prefix + "weight"] = state_dict.pop(prefix + "w")
            super()._load_from_state_dict(state_dict, prefix, *rest)

    model = torch.nn.Sequential(torch.nn.ReLU(), Renamed(1, 1))
    given = {"1.w": torch.tensor([[2.0]]), "1.bias": torch.tensor([3.0])}
    told = model.load_state_dict(given)
    return told, model.state_dict(), list(given)


def a_module_that_renames_keys_of_those_inside(torch):
    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.new = torch.nn.Linear(1, 1, bias=False)

        def _load_from_state_dict(self, state_dict, prefix, *rest):
            for key in list(state_dict):
                if key.startswith(prefix + "old."):
                    state_dict[key.replace("old.", "new.")] = state_dict.pop(key)
            super()._load_from_state_dict(state_dict, prefix, *rest)

    model = Outer()
    return model.load_state_dict({"old.weight": torch.tensor([[2.0]])}), model.new.weight


def a_module_that_saves_more(torch):
    class More(torch.nn.Linear):
        def _save_to_state_dict(self, destination, prefix, keep_vars):
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[prefix + "more"] = torch.zeros(1)

    return list(torch.nn.Sequential(More(1, 1)).state_dict())


def what_is_wrong_comes_module_by_module(torch):
    model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.ReLU(), torch.nn.Linear(1, 1))
    given = {"2.odd": 1, "9": 1, "0.odd.er": 1, "1.x": 1, "weight.x": 1, "0.bias": torch.ones(1)}
    return model.load_state_dict(given, strict=False)


def clamp_at_the_largest_of_itself(torch):
    x = torch.tensor([-1.0, 0.5, 3.0], requires_grad=True)
    y = x.clamp(0, x.detach().max() / 2)
    y.backward(torch.tensor([1.0, 2.0, 3.0]))
    return y, x.grad


def clamp_at_a_tensor_that_wants_a_gradient_in_no_grad(torch):
    with torch.no_grad():
        return torch.tensor([1.0, 2.0]).clamp(0, torch.tensor(1.0, requires_grad=True))


def rates_at_given_epochs(torch, make, epochs=(1, 4, 2, 2, 9, 0, None, 7, None)):
    parts = [torch.zeros(1, requires_grad=True) for _ in range(2)]
    groups = [{"params": [parts[0]]}, {"params": [parts[1]], "lr": 0.5}]
    optimizer = torch.optim.SGD(groups, lr=1.0)
    scheduler = make(torch.optim.lr_scheduler, optimizer)
    found = []
    for epoch in epochs:
        optimizer.step()
        scheduler.step(epoch)
        rates = [group["lr"] for group in optimizer.param_groups]
        found.append([scheduler.last_epoch, rates, scheduler.get_last_lr()])
    return found


def step_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.StepLR(o, 2, 0.5))


def multi_step_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.MultiStepLR(o, [7, 2, 4, 4], 0.5))


def exponential_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.ExponentialLR(o, 0.9))


def linear_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.LinearLR(o, 0.25, 0.75, 6))


def cosine_annealing_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.CosineAnnealingLR(o, 6, 0.01))


def lambda_lr_at_given_epochs(torch):
    return rates_at_given_epochs(torch, lambda lr, o: lr.LambdaLR(o, lambda epoch: 1 / (1 + epoch)))


def one_cycle_lr_at_given_epochs(torch):
    return rates_at_given_epochs(
        torch, lambda lr, o: lr.OneCycleLR(o, 1.0, 12, cycle_momentum=False)
    )


def a_scheduler_of_ones_own_at_given_epochs(torch):
    class Halving(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [base / 2**self.last_epoch for base in self.base_lrs]

    return rates_at_given_epochs(torch, lambda lr, o: Halving(o))


def a_scheduler_of_ones_own_with_a_closed_form_at_given_epochs(torch):
    class Halving(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [group["lr"] / 2 for group in self.optimizer.param_groups]

        def _get_closed_form_lr(self):
            return [base / 2**self.last_epoch for base in self.base_lrs]

    return rates_at_given_epochs(torch, lambda lr, o: Halving(o))


def reduce_lr_on_plateau_at_given_epochs(torch):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    found = []
    for metric, epoch in ((1.0, 3), (1.0, 4), (2.0, 9), (2.0, None), (2.0, 2)):
        scheduler.step(metric, epoch)
        found.append([scheduler.last_epoch, scheduler.get_last_lr(), scheduler.num_bad_epochs])
    return found


def sequential_lr_at_a_given_epoch(torch):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    kinds = torch.optim.lr_scheduler
    parts = [kinds.ExponentialLR(optimizer, 0.9) for _ in range(2)]
    kinds.SequentialLR(optimizer, parts, [2]).step(3)


def marked(torch, tag=(1,)):
    p = torch.nn.Parameter(torch.ones(2))
    p._no_decay, p.tag = True, list(tag)
    return p


def attributes_of_parameters(torch):
    p = marked(torch)
    del p.tag
    model = torch.nn.Linear(1, 1)
    model.weight.tag = 3
    model.double().requires_grad_(False)
    return p.__dict__, model.weight.tag, model.state_dict(keep_vars=True)["weight"].tag


def attributes_stay_with_the_parameter(torch):
    p = marked(torch)
    others = [p * 1, p.detach(), p.data, p[0], torch.nn.Parameter(p)]
    return [hasattr(other, "tag") for other in others], [type(x).__name__ for x in others]


def copies_of_a_parameter_with_attributes(torch):
    p = marked(torch)
    copies = [copy.copy(p), copy.deepcopy(p), pickle.loads(pickle.dumps(p))]
    return [[type(c).__name__, c, c.__dict__, getattr(c, "tag", None) is p.tag] for c in copies]


def parameters_without_decay(torch):
    model = torch.nn.Linear(1, 1)
    for name, p in model.named_parameters():
        p._no_decay = name == "bias"
    groups = [
        {"params": [p for p in model.parameters() if p._no_decay], "weight_decay": 0.0},
        {"params": [p for p in model.parameters() if not p._no_decay], "weight_decay": 0.1},
    ]
    return [group["weight_decay"] for group in torch.optim.SGD(groups, lr=0.1).param_groups]


def a_class_of_parameters(torch):
    class Noted(torch.nn.Parameter):
        def __new__(cls, data, note):
            made = super().__new__(cls, data)
            made.note = note
            return made

    p = Noted(torch.ones(2), "here")
    layer = torch.nn.Module()
    layer.p = p
    (p * 2).sum().backward()
    return p.note, p.grad, type(p).__name__, len(list(layer.parameters())), type(p * 2).__name__


def a_parameter_of_a_view_shares_its_memory(torch):
    base = torch.zeros(3)
    p = torch.nn.Parameter(base[1:])
    y = (p * p).sum()
    base[1] = 5.0
    return p, y.backward()


def tensors_made_with_a_device(torch):
    with torch.device("cpu") as device:
        return torch.ones(1), device


def tensors_made_with_a_device_that_is_not_there(torch):
    with torch.device("cuda"):
        torch.ones(1)


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if inspect.isfunction(value)
    and value.__module__ == __name__
    and value.__code__.co_varnames[: value.__code__.co_argcount] == ("torch",)
)
