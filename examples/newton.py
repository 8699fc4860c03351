"""Newton's method: where a function is curved like a bowl, one step solves what descent crawls to.

A logistic regression on penguins: Adelie or not, from four measures. Its loss has one minimum;
each step goes to the minimum of the bowl that gradient and Hessian describe. Beside it gradient
descent, for comparison.
"""

from stopping import show

import minigrad as torch
from minigrad import datasets, nn
from minigrad.autograd.functional import hessian


def examples():
    """Four measures of each penguin, in standard deviations, a 1 for the bias, and the answer."""
    data = datasets.penguins()
    x = data.x.double()
    x = (x - x.mean(dim=0)) / x.std(dim=0)
    return torch.cat([x, torch.ones(len(x), 1, dtype=torch.float64)], dim=1), (data.y == 0).double()


def main(steps=8):
    x, y = examples()

    def loss_at(w):
        """The mean cross-entropy, and a little of the weights' size, which makes it a bowl."""
        loss = nn.functional.binary_cross_entropy_with_logits(x @ w, y)
        return loss + 0.005 * (w * w).sum()

    def gradient_at(w):
        w = w.detach().requires_grad_()
        return torch.autograd.grad(loss_at(w), w)[0]

    w = torch.zeros(5, dtype=torch.float64)
    lengths = []
    for step in range(1, steps + 1):
        gradient = gradient_at(w)
        lengths.append(gradient.norm().item())
        text = f"from loss {loss_at(w).item():.6f}, gradient {lengths[-1]:.1e}"
        print(f"step {step} of {steps}: {text}", flush=True)
        w = w - torch.linalg.solve(hessian(loss_at, w), gradient)

    slow = torch.zeros(5, dtype=torch.float64)
    for _ in range(100):
        slow = slow - 1.0 * gradient_at(slow)
    return {
        "gradients of Newton's steps": lengths,
        "loss": loss_at(w).item(),
        "gradient after 100 steps of descent": gradient_at(slow).norm().item(),
        "accuracy": ((x @ w > 0) == (y == 1)).double().mean().item(),
    }


if __name__ == "__main__":
    show(main)
