"""Samples of convolutions and pooling."""

from __future__ import annotations

from samples.sampling import sample, values

# --------------------------------------------------------------------------------- convolutions

CONVOLUTIONS = {
    "conv1d": ("conv1d", (2, 2, 5), (3, 2, 3), (3,), {}),
    "conv1d strided": ("conv1d", (1, 2, 6), (2, 1, 2), (2,), {"stride": 2, "groups": 2}),
    "conv1d of one": ("conv1d", (1, 4), (2, 1, 3), None, {"padding": 1}),
    "conv2d": ("conv2d", (2, 2, 4, 3), (3, 2, 3, 2), (3,), {}),
    "conv2d padded": ("conv2d", (1, 1, 3, 3), (2, 1, 3, 3), None, {"padding": (1, 2)}),
    "conv2d strided": ("conv2d", (1, 1, 5, 4), (1, 1, 2, 2), (1,), {"stride": (2, 1)}),
    "conv2d strided, a rest": ("conv2d", (1, 1, 4, 4), (1, 1, 3, 3), None, {"stride": 2}),
    "conv2d dilated": ("conv2d", (1, 1, 4, 5), (2, 1, 2, 2), None, {"dilation": (2, 3)}),
    "conv2d grouped": ("conv2d", (1, 2, 3, 3), (4, 1, 2, 2), (4,), {"groups": 2}),
    "conv2d same": ("conv2d", (1, 1, 3, 3), (1, 1, 3, 1), (1,), {"padding": "same"}),
    "conv2d 1x1": ("conv2d", (2, 2, 2, 3), (1, 2, 1, 1), None, {}),
    "conv2d of one": ("conv2d", (2, 3, 3), (1, 2, 2, 2), (1,), {}),
    "conv2d of nothing": ("conv2d", (0, 1, 3, 3), (2, 1, 2, 2), (2,), {}),
    "conv_transpose1d": ("conv_transpose1d", (2, 2, 3), (2, 2, 2), (2,), {"stride": 2}),
    "conv_transpose2d": ("conv_transpose2d", (1, 2, 2, 3), (2, 1, 2, 2), (1,), {}),
    "conv_transpose2d strided": (
        "conv_transpose2d",
        (1, 1, 2, 2),
        (1, 2, 3, 2),
        (2,),
        {"stride": 2, "padding": (1, 0), "output_padding": (0, 1)},
    ),
    "conv_transpose2d dilated": (
        "conv_transpose2d",
        (1, 2, 2, 2),
        (2, 1, 2, 2),
        None,
        {"dilation": 2, "groups": 2, "output_padding": 1},
    ),
}
for name, (function, x, w, b, options) in CONVOLUTIONS.items():
    sample(
        name,
        lambda t, *tensors, function=function, options=options: getattr(t.nn.functional, function)(
            *tensors, **options
        ),
        values(*x),
        values(*w, seed=1),
        *([] if b is None else [values(*b, seed=2)]),
    )

# -------------------------------------------------------------------------------------- pooling

POOLS = {
    "max_pool1d": ("max_pool1d", (2, 1, 5), (2,), {}),
    "max_pool2d": ("max_pool2d", (1, 2, 4, 4), (2,), {}),
    "max_pool2d overlapping": ("max_pool2d", (1, 4, 4), ((3, 2),), {"stride": 1}),
    "max_pool2d padded": ("max_pool2d", (1, 1, 4, 3), (3,), {"padding": 1, "stride": 2}),
    "max_pool2d dilated": ("max_pool2d", (1, 1, 4, 5), (2,), {"dilation": 2, "stride": 1}),
    "max_pool2d ceil": ("max_pool2d", (1, 1, 3, 5), (2,), {"ceil_mode": True}),
    "max_pool2d of nothing": ("max_pool2d", (0, 1, 4, 4), (2,), {}),
    "avg_pool1d": ("avg_pool1d", (1, 2, 5), (2,), {}),
    "avg_pool2d": ("avg_pool2d", (1, 2, 4, 4), (2,), {}),
    "avg_pool2d overlapping": ("avg_pool2d", (1, 4, 3), (2,), {"stride": 1}),
    "avg_pool2d padded": ("avg_pool2d", (1, 1, 3, 4), (2,), {"padding": 1}),
    "avg_pool2d without padding": (
        "avg_pool2d",
        (1, 1, 3, 4),
        (2,),
        {"padding": 1, "count_include_pad": False},
    ),
    "avg_pool2d ceil": ("avg_pool2d", (1, 1, 3, 5), (2,), {"ceil_mode": True}),
    "avg_pool2d divisor": ("avg_pool2d", (1, 1, 2, 4), (2,), {"divisor_override": 3}),
    "adaptive_avg_pool1d": ("adaptive_avg_pool1d", (1, 1, 5), (3,), {}),
    "adaptive_avg_pool2d": ("adaptive_avg_pool2d", (1, 1, 4, 5), ((2, 3),), {}),
    "adaptive_avg_pool2d one": ("adaptive_avg_pool2d", (1, 2, 3, 2), (1,), {}),
    "adaptive_avg_pool2d more": ("adaptive_avg_pool2d", (1, 2, 3), ((None, 5),), {}),
}
for name, (function, shape, arguments, options) in POOLS.items():
    sample(
        name,
        lambda t, x, function=function, arguments=arguments, options=options: getattr(
            t.nn.functional, function
        )(x, *arguments, **options),
        values(*shape),
    )
