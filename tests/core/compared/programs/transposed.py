"""Programs about the sizes that convolutions take, and that transposed ones are asked for."""

from __future__ import annotations

VALUES = {
    "image": "torch.arange(12.0).reshape(1, 1, 3, 4)",
    "line": "torch.arange(3.0).reshape(1, 1, 3)",
    "kernel": "torch.ones(1, 1, 2, 3)",
    "short": "torch.ones(1, 1, 3)",
    "layer": "lambda size, **options: filled(torch.nn.ConvTranspose2d(1, 1, size, **options))",
    "layer1": "lambda size, **options: filled(torch.nn.ConvTranspose1d(1, 1, size, **options))",
    "filled": "lambda made: ([p.data.fill_(0.5) for p in made.parameters()], made)[1]",
}

EXPRESSIONS = """
# the size of the output may be asked for
layer(3, stride=2)(image, [7, 9])
layer(3, stride=2)(image, output_size=[8, 10])
layer(3, stride=2)(image, image.new_zeros(8, 9).shape)
layer(3, stride=2)(image, (1, 1, 7, 10))
layer(3, stride=2)(image[0], (1, 7, 10))
layer(3, stride=2)(image, [7, 11])
layer(3, stride=2)(image, [6, 9])
layer(3, stride=2)(image, [7])
layer(3, stride=2)(image[0], [1, 1, 7, 9])
layer((2, 3), stride=(3, 1), padding=(0, 1), dilation=(2, 1))(image, [10, 4])
layer((2, 3), stride=(3, 1), padding=(0, 1), dilation=(2, 1))(image, [10, 5])
layer(3, stride=2, output_padding=1)(image, [7, 9])
layer1(3, stride=3)(line, [11])
layer1(3, stride=3)(line[0], [10])
layer1(3, stride=3)(line, [12])
slope(lambda x: layer1(2, stride=2)(x[None, None], [5]).square(), [1.0, 2.0])
# an output must not be empty
F.conv_transpose2d(image[..., :1], kernel, padding=(0, 2))
F.conv_transpose2d(image[..., :1], kernel, padding=(0, 1))
F.conv_transpose1d(line[..., :1], short, padding=1)
F.conv_transpose1d(line[..., :1], short, padding=1, stride=2, output_padding=1)
F.conv_transpose1d(line[..., :1], short, padding=3)
# nor an input
F.conv2d(image[..., :0], kernel, padding=3)
F.conv1d(line[..., :0], short, padding=3)
F.conv_transpose2d(image[..., :0], kernel, stride=3)
F.conv_transpose1d(line[..., :0], short)
# but a batch may be
F.conv2d(image[:0], kernel)
F.conv_transpose2d(image[:0], kernel)
F.conv_transpose1d(line[:0], short, output_padding=1)
F.conv_transpose1d(line, short, output_padding=1)
F.conv1d(line[:0], short, dilation=3)
"""

PROGRAMS = ()
