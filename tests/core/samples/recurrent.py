"""Sample inputs for an LSTM, whose steps are one operation."""

from __future__ import annotations

from samples.sampling import sample, values


def lstm(t, x, weight_ih, weight_hh, bias, h, c):
    layer = t.nn.LSTM(weight_ih.shape[1], weight_hh.shape[1])
    given = {"weight_ih_l0": weight_ih, "weight_hh_l0": weight_hh, "bias_ih_l0": bias}
    for name in layer.state_dict():
        delattr(layer, name)
        setattr(layer, name, given.get(name, bias / 2))
    out, (h, c) = layer(x, (h[None], c[None]))
    return t.cat((out, h, c))


for name, steps, batch, width, size in (
    ("lstm", 3, 2, 2, 2),
    ("lstm of one step", 1, 1, 1, 3),
    ("lstm of no sequence", 2, 0, 2, 1),
):
    shapes = (
        (steps, batch, width),
        (4 * size, width),
        (4 * size, size),
        (4 * size,),
        (batch, size),
        (batch, size),
    )
    sample(name, lstm, *[values(*shape, seed=seed) for seed, shape in enumerate(shapes)])
