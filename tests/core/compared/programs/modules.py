"""Programs about modules themselves: parts and their names, state, modes, hooks, containers."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict

VALUES = {
    "net": "torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))",
    "layer": "torch.nn.Linear(2, 3)",
    "norm": "torch.nn.BatchNorm1d(2)",
    "p": "torch.nn.Parameter(t([1.0, 2.0]))",
    "relus": "torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.ReLU(), torch.nn.Tanh()])",
    "heads": "torch.nn.ModuleDict({'b': torch.nn.ReLU(), 'a': torch.nn.Linear(1, 2)})",
}

EXPRESSIONS = """
# parameters
p
p * 2
p.detach()
p.data
p.clone()
p[0]
p.T
[p]
type(p).__name__, type(p * 1).__name__, type(p.detach()).__name__
isinstance(p, torch.Tensor), isinstance(p * 1, torch.nn.Parameter), p.is_leaf, p.requires_grad
torch.nn.Parameter(torch.zeros(2, 3), requires_grad=False)
torch.nn.Parameter(t([1, 2]), requires_grad=False)
torch.nn.Parameter(t([1, 2]))
torch.nn.Parameter([1.0])
torch.nn.Parameter(p).data_ptr() == p.data_ptr()
torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
torch.nn.Parameter(p * 2).is_leaf
# names
[name for name, _ in net.named_parameters()]
[name for name, _ in net.named_modules()]
[name for name, _ in net.named_children()]
[name for name, _ in net.named_parameters(prefix="net")]
[name for name, _ in net.named_parameters(recurse=False)]
[name for name, _ in norm.named_buffers()]
[name for name, _ in norm.named_parameters()]
list(norm.state_dict()), list(norm.state_dict(prefix="a."))
len(list(net.parameters())), sum(p.numel() for p in net.parameters())
net.get_submodule("0"), net.get_parameter("2.weight").shape, net.get_submodule("") is net
net.get_submodule("3")
net.get_parameter("0")
net.get_submodule("0.weight")
norm.get_buffer("running_mean"), torch.nn.Sequential(norm).get_buffer("0.num_batches_tracked")
norm.get_buffer("weight")
norm.get_buffer("mean")
layer.weights
torch.nn.Module().anything
"weight" in dir(layer), "0" in dir(net)
# parts that do not fit
setattr(layer, "weight", torch.ones(3, 2))
setattr(layer, "weight", 3)
setattr(layer, "weight", torch.nn.ReLU())
setattr(layer, "bias", None) or layer
setattr(net, "0", torch.ones(1))
setattr(norm, "running_mean", 3)
setattr(norm, "running_mean", torch.ones(2)) or norm.running_mean
layer.register_parameter("a.b", None)
layer.register_parameter("", None)
layer.register_parameter(3, None)
layer.register_parameter("forward", None)
layer.register_parameter("more", torch.ones(1))
layer.register_buffer("weight", None)
layer.register_buffer("more", 3)
layer.add_module("more", 3)
layer.add_module("weight", torch.nn.ReLU())
layer.add_module("a.b", torch.nn.ReLU())
torch.nn.Module()(1)
torch.nn.Module(3)
# modes and dtypes
net.training, net.eval().training, net[0].training, net.train()[1].training
net.train("yes")
layer.double().weight.dtype, layer.weight.dtype, layer.float().bias.dtype
norm.double().running_mean.dtype, norm.num_batches_tracked.dtype
layer.to(torch.float64).weight.dtype, layer.to("cpu").weight.dtype
layer.to(torch.int64)
layer.to(device="cpu", dtype=torch.float64) is layer
layer.to(t([1.0], dtype=torch.float64)).weight.dtype
layer.requires_grad_(False).weight.requires_grad
# state
layer.state_dict()["weight"].requires_grad
layer.state_dict(keep_vars=True)["weight"] is layer.weight
layer.load_state_dict({})
layer.load_state_dict(3)
layer.load_state_dict({"weight": 1, "bias": torch.ones(3)})
layer.load_state_dict(torch.nn.Linear(2, 3).state_dict())
layer.load_state_dict(torch.nn.Linear(3, 3).state_dict())
layer.load_state_dict({"more": torch.ones(1)}, strict=False)
layer.load_state_dict({"weight": torch.ones(3, 2), "bias": torch.ones(3), "more": torch.ones(1)})
net.load_state_dict(torch.nn.Sequential(torch.nn.Linear(2, 3)).state_dict())
norm.load_state_dict({k: v for k, v in norm.state_dict().items() if "tracked" not in k})
norm.load_state_dict({k: v for k, v in norm.state_dict().items() if "running" not in k})
# containers
net
len(net), net[0], net[-1], net[1:]
net[3]
net["0"]
torch.nn.Sequential(torch.nn.Tanh(), 3)
net.append(torch.nn.Tanh())
net.insert(1, torch.nn.Tanh())
net.pop(1), net
net + torch.nn.Sequential(torch.nn.Tanh())
net.extend([torch.nn.Tanh()])
[type(part).__name__ for part in net]
relus
relus[0], relus[-1], relus[1:], len(relus)
relus(1)
relus.append(torch.nn.Tanh())
relus.extend([torch.nn.ReLU()])
relus + [torch.nn.ReLU()]
torch.nn.ModuleList([torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh())] * 2)
torch.nn.ModuleList()
torch.nn.ModuleList([3])
heads
list(heads), "a" in heads, len(heads), heads["b"], list(heads.values()), list(heads.items())
heads.update({"c": torch.nn.Tanh()}) or heads
heads.pop("b"), heads
heads["z"]
heads.clear(), len(heads)
torch.nn.ModuleDict([["a", torch.nn.ReLU()]])
torch.nn.ParameterDict(parameters={"a": torch.ones(2)})
torch.nn.Sequential(torch.nn.ReLU()).insert(5, torch.nn.Tanh())
torch.nn.Sequential(torch.nn.ReLU()).insert(-1, torch.nn.Tanh())
torch.nn.ModuleDict({"a.b": torch.nn.ReLU()})
torch.nn.ParameterList([torch.ones(2, 3), torch.nn.Parameter(torch.ones(1))])
torch.nn.ParameterList([torch.ones(2, 3)])
torch.nn.ParameterList([torch.ones(2), torch.zeros(1)])[1]
torch.nn.ParameterList([torch.ones(2)]).append(torch.zeros(1))
list(torch.nn.ParameterList([torch.ones(2)]).state_dict())
torch.nn.ParameterDict({"b": torch.ones(2, 3), "a": torch.nn.Parameter(torch.ones(1))})
torch.nn.ParameterDict({"b": torch.ones(2)})["b"]
# utilities
torch.nn.utils.parameters_to_vector([torch.ones(2, 1), torch.zeros(3)])
torch.nn.utils.vector_to_parameters([1.0], net.parameters())
torch.nn.utils.clip_grad_norm_([], 1.0)
torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
torch.nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(3)])
torch.nn.utils.rnn.pad_sequence([torch.ones(2, 2), torch.ones(1, 2)], True, padding_value=7)
torch.nn.utils.rnn.pad_sequence([t([1, 2]), t([3])], True, padding_side="left")
torch.nn.utils.rnn.pad_sequence([t([1, 2]), t([3])], padding_side="top")
torch.nn.utils.rnn.pad_sequence([])
"""

OTHER_WORDS = {
    'setattr(layer, "weight", torch.nn.ReLU())',  # where PyTorch's class is defined
    "torch.nn.Sequential(torch.nn.Tanh(), 3)",
    "torch.nn.Parameter(t([1, 2]))",  # the tensors' own message
    "torch.nn.utils.rnn.pad_sequence([])",
    "torch.nn.Module(3)",
    'net["0"]',
}


def net_of(torch):
    """A model with everything: layers, a list, a shared layer, a buffer, a plain parameter."""

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(2.0))
            self.first = torch.nn.Linear(2, 3)
            self.blocks = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(2))
            self.again = self.blocks[0]
            self.register_buffer("mean", torch.zeros(3))
            self.register_buffer("cache", torch.ones(1), persistent=False)
            self.nothing = None
            self.number = 3

        def forward(self, x):
            x = self.first(x)
            for block in self.blocks:
                x = torch.tanh(block(x))
            return self.again(x) * self.scale

        def extra_repr(self):
            return f"number={self.number}"

    torch.manual_seed(0)
    return Net()


def a_model_of_ones_own(torch):
    net = net_of(torch)
    net(torch.ones(4, 2)).sum().backward()
    return [
        repr(net),
        [name for name, _ in net.named_parameters()],
        list(net.state_dict()),
        [name for name, _ in net.named_parameters(remove_duplicate=False)],
        [name for name, _ in net.named_modules()],
        [name for name, _ in net.named_buffers()],
        [name for name, _ in net.named_children()],
        [round(p.grad.sum().item(), 4) for p in net.parameters()],
    ]


def parts_before_the_constructor_ran(torch):
    found = []
    for part in (torch.nn.Linear(1, 1), torch.nn.Parameter(torch.ones(1)), 3):

        class Hasty(torch.nn.Module):
            def __init__(self, part=part):
                self.part = part
                super().__init__()

        try:
            found.append(Hasty().part)
        except AttributeError as error:
            found.append(str(error).split("\n")[0])
    return found


def a_buffer_before_the_constructor_ran(torch):
    class Hasty(torch.nn.Module):
        def __init__(self):
            self.register_buffer("part", torch.ones(1))

    return Hasty()


def a_name_takes_another_kind_of_part(torch):
    net, found = torch.nn.Module(), []
    for part in (
        3,
        torch.nn.Parameter(torch.ones(1)),
        None,
        torch.nn.Parameter(torch.ones(2)),
    ):
        net.part = part
        found.append(list(net._parameters))
    net.other = torch.nn.ReLU()
    net.other = torch.nn.Parameter(torch.ones(1))
    found.append([list(net._modules), list(net._parameters)])
    net.buffer = torch.nn.Parameter(torch.ones(1))
    del net.buffer
    net.register_buffer("buffer", torch.ones(1))
    net.buffer = torch.zeros(2)
    found.append([list(net._buffers), net.buffer, list(net.state_dict())])
    return found


def parts_can_be_deleted(torch):
    net = net_of(torch)
    del net.first, net.scale, net.mean, net.number
    return [list(net.state_dict()), hasattr(net, "first"), hasattr(net, "number")]


def deleting_what_is_not_there(torch):
    net = net_of(torch)
    del net.second


def applying_a_function_to_all_modules(torch):
    names = []
    same = net_of(torch).apply(lambda module: names.append(type(module).__name__))
    return [names, type(same).__name__]


def weights_set_by_apply(torch):
    def start(module):
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.ones_(module.weight)
            module.bias.data.fill_(0.5)

    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    return net.apply(start)(torch.ones(1, 2)).detach()


def zeroing_gradients(torch):
    layer = torch.nn.Linear(2, 1)
    layer(torch.ones(1, 2)).backward()
    layer.zero_grad(set_to_none=False)
    zeros = layer.weight.grad.tolist()
    layer.zero_grad()
    return [zeros, layer.weight.grad]


def conversion_keeps_parameters_and_converts_gradients(torch):
    layer = torch.nn.Linear(2, 1)
    weight = layer.weight
    layer(torch.ones(1, 2)).backward()
    layer.double()
    kind = type(weight).__name__
    return [layer.weight is weight, weight.dtype, weight.grad, weight.is_leaf, kind]


def a_copy_is_independent(torch):
    net = net_of(torch)
    net(torch.ones(1, 2)).sum().backward()
    twin = copy.deepcopy(net)
    with torch.no_grad():
        twin.first.weight.fill_(0.0)
    return [
        bool((net.first.weight == 0).any()),
        twin.again is twin.blocks[0],
        twin.scale.grad,
        type(twin.first.weight).__name__,
        twin.first.weight.requires_grad,
        torch.equal(net.blocks[1].weight, twin.blocks[1].weight),
    ]


def a_pickled_model_comes_back(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.LSTM(3, 2), torch.nn.Dropout(0.1))
    back = pickle.loads(pickle.dumps(net.eval()))
    same = [torch.equal(a, b) for a, b in zip(net.parameters(), back.parameters())]
    return [repr(back), same, back.training, type(back[0].weight).__name__]


def shared_weights_collect_both_gradients(torch):
    encoder, decoder = torch.nn.Linear(2, 2, bias=False), torch.nn.Linear(2, 2, bias=False)
    with torch.no_grad():
        encoder.weight.copy_(torch.eye(2))
    decoder.weight = encoder.weight
    net = torch.nn.Sequential(encoder, decoder)
    net(torch.ones(1, 2)).sum().backward()
    return [len(list(net.parameters())), encoder.weight.grad, list(net.state_dict())]


def state_goes_from_one_model_to_another(torch):
    one, other = net_of(torch), net_of(torch)
    with torch.no_grad():
        one.scale.add_(1.0)
        one.mean.add_(2.0)
    keys = other.load_state_dict(one.state_dict())
    return [repr(keys), other.scale, other.mean, other.scale is one.scale]


def state_in_an_ordinary_dictionary(torch):
    layer = torch.nn.Linear(2, 1)
    layer.load_state_dict({"bias": torch.tensor([1.0]), "weight": torch.tensor([[1, 2]])})
    return [layer.weight, layer.bias]


def all_that_is_wrong_with_a_state_is_said(torch):
    layer = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Linear(1, 2))
    try:
        layer.load_state_dict({"0.weight": torch.ones(2, 2), "more": torch.ones(1)})
    except RuntimeError as error:
        return str(error)


def what_fits_is_loaded_although_it_raises(torch):
    layer = torch.nn.Linear(2, 1)
    try:
        layer.load_state_dict({"bias": torch.tensor([7.0])})
    except RuntimeError:
        return layer.bias


def a_state_is_the_memory_of_the_model(torch):
    layer = torch.nn.Linear(1, 1)
    state = layer.state_dict()
    with torch.no_grad():
        layer.weight.fill_(5.0)
    return [state["weight"], type(state).__name__]


def hooks_before_and_after(torch):
    layer, seen = torch.nn.Linear(2, 1, bias=False), []
    torch.nn.init.ones_(layer.weight)
    before = layer.register_forward_pre_hook(lambda m, args: seen.append(args) or (args[0] * 2,))
    after = layer.register_forward_hook(lambda m, args, out: seen.append(out.item()) or out + 1)
    changed = layer(torch.ones(2)).item()
    before.remove()
    once = layer(torch.ones(2)).item()
    after.remove()
    return [changed, once, layer(torch.ones(2)).item(), seen]


def hooks_run_in_order_and_may_only_look(torch):
    layer, seen = torch.nn.Identity(), []
    layer.register_forward_pre_hook(lambda m, args: seen.append("a"))
    layer.register_forward_pre_hook(lambda m, args: args[0] + 1)
    layer.register_forward_hook(lambda m, args, out: seen.append(out))
    with layer.register_forward_hook(lambda m, args, out: seen.append("gone")):
        pass
    return [layer(1), seen]


def forward_is_not_the_same_as_a_call(torch):
    layer, seen = torch.nn.Identity(), []
    layer.register_forward_hook(lambda m, args, out: seen.append(out))
    return [layer.forward(1), seen]


def names_of_layers_in_a_row(torch):
    net = torch.nn.Sequential(
        OrderedDict([("conv", torch.nn.Conv2d(1, 2, 3)), ("act", torch.nn.ReLU())])
    )
    net.add_module("flat", torch.nn.Flatten())
    return [repr(net), repr(net[:2]), repr(net.conv), list(net.state_dict())]


def rows_can_be_changed(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1), nn.Tanh())
    net[1] = nn.Sigmoid()
    del net[2]
    del net[0:1]
    layers = nn.ModuleList([nn.Linear(1, 1), nn.ReLU()])
    layers[0] = nn.Tanh()
    layers.insert(1, nn.Sigmoid())
    layers += [nn.ReLU(), nn.ReLU()]
    del layers[0]
    return [repr(net), repr(layers), layers.pop(0)]


def a_model_changed_while_it_trains(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2))
    x, losses = torch.ones(3, 2), []
    for step in range(4):
        if step == 2:
            net.append(torch.nn.Linear(2, 1))
            net[0].weight.requires_grad_(False)
        loss = (net(x) ** 2).sum()
        net.zero_grad()
        loss.backward()
        losses.append(round(loss.item(), 4))
        with torch.no_grad():
            for p in net.parameters():
                if p.grad is not None:
                    p -= 0.01 * p.grad
    return [losses, [p.grad is None for p in net.parameters()]]


def modules_inside_modules_print_with_their_lines_moved(torch):
    nn = torch.nn
    inner = nn.Sequential(nn.ModuleDict({"a": nn.ModuleList([nn.ReLU()] * 3)}), nn.Identity())
    return repr(nn.ModuleList([inner, inner, nn.Sequential()]))


def arguments_by_name(torch):
    class Add(torch.nn.Module):
        def forward(self, x, *, y=1, **rest):
            return x + y + sum(rest.values())

    return [Add()(1, y=2, z=3), Add()(x=1)]


def gradients_are_clipped(torch):
    found = []
    for order in (2.0, 1.0, float("inf")):
        x = torch.tensor([3.0, -4.0], requires_grad=True)
        y = torch.tensor([12.0], requires_grad=True)
        unused = torch.tensor([1.0], requires_grad=True)
        ((x * x).sum() / 2 + y * 12).sum().backward()
        found.append([torch.nn.utils.clip_grad_norm_([x, y, unused], 6.5, order), x.grad, y.grad])
    torch.nn.utils.clip_grad_value_([x, y, unused], 1.5)
    return [*found, x.grad, y.grad, unused.grad]


def short_gradients_stay(torch):
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    (x * x / 2).sum().backward()
    return [torch.nn.utils.clip_grad_norm_(x, 10), x.grad]


def a_gradient_that_is_not_finite(torch):
    x = torch.tensor([float("inf")], requires_grad=True)
    (x * x).sum().backward()
    return torch.nn.utils.clip_grad_norm_([x], 1.0, error_if_nonfinite=True)


def clipping_an_exhausted_generator(torch):
    parameters = torch.nn.Linear(1, 1).parameters()
    list(parameters)
    return torch.nn.utils.clip_grad_norm_(parameters, 1.0)


def parameters_from_a_vector(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Linear(1, 1, bias=False))
    torch.nn.utils.vector_to_parameters(torch.arange(4.0), net.parameters())
    return [net[0].weight, net[0].bias, net[1].weight]


PROGRAMS = [
    a_model_of_ones_own,
    parts_before_the_constructor_ran,
    a_buffer_before_the_constructor_ran,
    a_name_takes_another_kind_of_part,
    parts_can_be_deleted,
    deleting_what_is_not_there,
    applying_a_function_to_all_modules,
    weights_set_by_apply,
    zeroing_gradients,
    conversion_keeps_parameters_and_converts_gradients,
    a_copy_is_independent,
    a_pickled_model_comes_back,
    shared_weights_collect_both_gradients,
    state_goes_from_one_model_to_another,
    state_in_an_ordinary_dictionary,
    all_that_is_wrong_with_a_state_is_said,
    what_fits_is_loaded_although_it_raises,
    a_state_is_the_memory_of_the_model,
    hooks_before_and_after,
    hooks_run_in_order_and_may_only_look,
    forward_is_not_the_same_as_a_call,
    names_of_layers_in_a_row,
    rows_can_be_changed,
    a_model_changed_while_it_trains,
    modules_inside_modules_print_with_their_lines_moved,
    arguments_by_name,
    gradients_are_clipped,
    short_gradients_stay,
    a_gradient_that_is_not_finite,
    clipping_an_exhausted_generator,
    parameters_from_a_vector,
]
