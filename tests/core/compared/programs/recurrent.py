"""Programs about layers that go through sequences, and about attention with several heads."""

from __future__ import annotations

from compared.programs.layers import flat, grads_of, numbers, used

EXPRESSIONS = """
torch.nn.RNN(3, 4)(torch.zeros(2, 2, 4))
torch.nn.LSTM(3, 4)(torch.zeros(2, 2, 3, 1))
torch.nn.GRU(3, 4)(torch.zeros(2, 2, 3), torch.zeros(1, 3, 4))
torch.nn.LSTM(3, 4)(torch.zeros(2, 2, 3), (torch.zeros(1, 2, 4), torch.zeros(1, 3, 4)))
torch.nn.LSTM(3, 4)(torch.zeros(2, 2, 3), (torch.zeros(1, 4), torch.zeros(1, 4)))
torch.nn.GRU(3, 4)(torch.zeros(2, 3), torch.zeros(1, 1, 4))
torch.nn.RNN(3, 4)(torch.zeros(2, 2, 3).double())
torch.nn.RNN(3, 4)(torch.zeros(0, 2, 3))
torch.nn.RNN(3, 4, nonlinearity="sine")
torch.nn.RNN(0, 4)
torch.nn.GRU(3, 4, num_layers=0)
torch.nn.LSTM(3, 4, 2, dropout=2)
torch.nn.LSTM(3, 4, 1, dropout=0.5)
torch.nn.LSTM(3, 4).flatten_parameters()
torch.nn.RNNCell(3, 4)(torch.zeros(1, 1, 3))
torch.nn.RNNCell(3, 4)(torch.zeros(1, 3, dtype=torch.float64))
[[w.shape for w in layer] for layer in torch.nn.LSTM(3, 4, 2, bidirectional=True).all_weights]
[len(layer) for layer in torch.nn.GRU(3, 4, 2, bias=False).all_weights]
torch.nn.LSTMCell(3, 4)(torch.zeros(2, 4))
list(torch.nn.LSTM(3, 4, 2, bidirectional=True).state_dict())
list(torch.nn.GRU(3, 4, bias=False).state_dict())
[p.shape for p in torch.nn.GRU(3, 4, 2, bidirectional=True).parameters()]
torch.nn.MultiheadAttention(4, 2)(torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 4))[1].shape
list(torch.nn.MultiheadAttention(4, 2, kdim=3, bias=False).state_dict())
"""

OTHER_WORDS = {"torch.nn.LSTMCell(3, 4)(torch.zeros(2, 4))"}  # our `linear` says it

WAYS = {
    "plain": {},
    "two layers": {"num_layers": 2},
    "both directions": {"bidirectional": True, "num_layers": 2},
    "batch first, no bias": {"batch_first": True, "bias": False},
    "dropout": {"num_layers": 3, "dropout": 0.4},
}


def of_kind(torch, kind):
    torch.manual_seed(0)
    layer = getattr(torch.nn, kind)
    found = {way: used(torch, layer(2, 3, **options), 4, 2, 2) for way, options in WAYS.items()}
    found["one sequence"] = used(torch, layer(2, 3, bidirectional=True), 4, 2)
    found["one step"] = used(torch, getattr(torch.nn, kind + "Cell")(2, 3), 4, 2)
    found["one step of one"] = used(torch, getattr(torch.nn, kind + "Cell")(2, 3, bias=False), 2)
    return found


def rnn(torch):
    return of_kind(torch, "RNN")


def lstm(torch):
    return of_kind(torch, "LSTM")


def gru(torch):
    return of_kind(torch, "GRU")


def rnn_with_relu(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.RNN(2, 3, nonlinearity="relu"), 4, 2, 2)


def given_states_get_gradients(torch):
    torch.manual_seed(0)
    found = []
    for kind, count in (("RNN", 1), ("GRU", 1), ("LSTM", 2)):
        layer = getattr(torch.nn, kind)(2, 3, num_layers=2).double()
        x, *starts = torch.randn(5, 4, 2).double(), *torch.randn(count, 2, 4, 3).double().unbind()
        starts = [start.clone().requires_grad_() for start in starts]
        out, last = layer(x, starts[0] if count == 1 else tuple(starts))
        parts = flat((out, last))
        sum((part * part).sum() for part in parts).backward()
        found.append([*map(numbers, parts), *(numbers(start.grad) for start in starts)])
    return found


def cells_in_a_loop_are_the_layer(torch):
    torch.manual_seed(0)
    layer, cell = torch.nn.LSTM(2, 3), torch.nn.LSTMCell(2, 3)
    names = {name: name.removesuffix("_l0") for name in layer.state_dict()}
    cell.load_state_dict({names[name]: value for name, value in layer.state_dict().items()})
    x, state = torch.randn(5, 4, 2), None
    for step in x:
        state = cell(step, state)
    _, (h, c) = layer(x)
    return bool(torch.allclose(state[0], h[0])), bool(torch.allclose(state[1], c[0]))


def a_second_derivative_through_an_lstm(torch):
    torch.manual_seed(0)
    layer = torch.nn.LSTM(2, 3).double()
    x = torch.randn(4, 1, 2, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(layer(x)[0].sum(), x, create_graph=True)
    (slope * slope).sum().backward()
    return [x.grad, {name: p.grad for name, p in layer.named_parameters()}]


def a_weight_overwritten_between_forward_and_backward(torch):
    layer = torch.nn.LSTM(2, 3)
    out, _ = layer(torch.ones(4, 1, 2))
    with torch.no_grad():
        layer.weight_hh_l0.mul_(2)
    out.sum().backward()


def attended(torch, call=None, train=True, **options):
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(4, 2, **options).train(train).double()
    query = torch.randn(3, 2, 4).double()
    key, value = (torch.randn(5, 2, options.get(n, 4)).double() for n in ("kdim", "vdim"))
    if options.get("batch_first"):
        query, key, value = (tensor.transpose(0, 1) for tensor in (query, key, value))
    out, weights = layer(query, key, value, **(call(torch) if call else {}))
    (out * out).sum().backward()
    return [repr(layer), list(layer.state_dict()), numbers(out), numbers(weights), grads_of(layer)]


def later(torch):
    return ~torch.ones(3, 5, dtype=torch.bool).tril(1)


def padding(torch):
    return torch.tensor([[False, False, False, True, True], [False] * 5])


def attention(torch):
    masks = {
        "attn_mask": lambda torch: {"attn_mask": later(torch)},
        "numbers": lambda torch: {"attn_mask": torch.randn(3, 5).double()},
        "by head": lambda torch: {"attn_mask": torch.randn(4, 3, 5) > 1},
        "padding": lambda torch: {"key_padding_mask": padding(torch)},
        "both": lambda torch: {"attn_mask": later(torch), "key_padding_mask": padding(torch)},
        "no weights": lambda torch: {"attn_mask": later(torch), "need_weights": False},
        "of each head": lambda torch: {"average_attn_weights": False},
    }
    return {
        **{name: attended(torch, call) for name, call in masks.items()},
        "batch first": attended(torch, batch_first=True),
        "no bias": attended(torch, bias=False),
        "other widths": attended(torch, kdim=3, vdim=6),
        "dropout": attended(torch, dropout=0.3),
        "dropout, in use": attended(torch, train=False, dropout=0.3),
    }


def attention_that_is_causal_needs_a_mask(torch):
    return attended(torch, lambda torch: {"is_causal": True})


PROGRAMS = [
    rnn,
    lstm,
    gru,
    rnn_with_relu,
    given_states_get_gradients,
    cells_in_a_loop_are_the_layer,
    a_second_derivative_through_an_lstm,
    a_weight_overwritten_between_forward_and_backward,
    attention,
    attention_that_is_causal_needs_a_mask,
]
