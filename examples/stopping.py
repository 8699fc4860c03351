"""Ctrl-C ends a program calmly, with what it has reached and with whole weights.

Nothing here belongs to one library: the tensors may be minigrad's or PyTorch's.
"""

import sys


class Stoppable:
    """The rounds of a training, counted from 1; Ctrl-C (or Jupyter's stop button) ends them.

    Ctrl-C may come in the middle of an update. The tensors then get back the values they had
    after the last whole round, and the program goes on behind the ``with`` block.

        with Stoppable("step", 500, net.parameters()) as training:
            for step in training:
                ...
        print(training.done)  # how many rounds are whole: 500, or fewer
    """

    def __init__(self, what, rounds, tensors):
        self.what, self.rounds, self.tensors = what, rounds, list(tensors)
        self.keep(0)

    def keep(self, done):
        copies = [tensor.detach().clone() for tensor in self.tensors]
        self.kept = done, copies  # both at once: whatever is kept belongs together

    @property
    def done(self):
        return self.kept[0]

    def __iter__(self):
        for number in range(1, self.rounds + 1):
            yield number
            self.keep(number)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is not KeyboardInterrupt:
            return False
        for tensor, value in zip(self.tensors, self.kept[1]):
            tensor.detach().copy_(value)
        print(f"stopped after {self.what} {self.done} of {self.rounds}", flush=True)
        return True


def show(main):
    """Run a program and print what it returns; Ctrl-C before or after its training ends it."""
    try:
        for name, value in main().items():
            print(f"{name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value}")
    except KeyboardInterrupt:
        print("stopped", flush=True)
        sys.exit(130)  # what a shell expects of a program that Ctrl-C ended
