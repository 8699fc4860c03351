"""Programs about what helps with graphs: checks, checkpoints, modes, copies, threads."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

import copy
import pickle
import threading

from compared.refusals import refusal

EXPRESSIONS = """
# gradcheck
torch.autograd.gradcheck(lambda x: x * x, leaf([1.0, 2.0], "float64"))
torch.autograd.gradcheck(lambda x: x * x, (leaf([1.0, 2.0], "float64"),))
torch.autograd.gradcheck(lambda x: x * x, [leaf([1.0, 2.0], "float64")])
torch.autograd.gradcheck(lambda x, y: x * y, (leaf([1.0], "float64"), leaf([2.0], "float64")))
torch.autograd.gradcheck(lambda x, n: x**n, (leaf([1.5], "float64"), 3))
torch.autograd.gradcheck(lambda x, y: x * y, (leaf([1.0], "float64"), t([2.0])))
torch.autograd.gradcheck(lambda x: (x * x, x.exp()), leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: [x * x, x.exp()], leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: x.sum(), leaf([[1.0, 2.0]], "float64"))
torch.autograd.gradcheck(lambda x: x * 1, leaf([], "float64"))
torch.autograd.gradcheck(lambda x: x, leaf(2.0, "float64"))
torch.autograd.gradcheck(lambda x: x.detach(), leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: x.detach() * x, leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: x.detach() * x, leaf([1.0], "float64"), raise_exception=False)
torch.autograd.gradcheck(lambda x: x.relu(), leaf([0.0], "float64"))
torch.autograd.gradcheck(lambda x: x.relu(), leaf([1e-3], "float64"), eps=1e-2)
torch.autograd.gradcheck(lambda x: x**3, leaf([2.0], "float64"), eps=0.1, atol=0.1)
torch.autograd.gradcheck(lambda x: x**3, leaf([2.0], "float64"), eps=0.1)
torch.autograd.gradcheck(lambda x: x**3, leaf([2.0], "float64"), eps=0.1, rtol=0.1)
torch.autograd.gradcheck(lambda x: x * 2, t([1.0]))
torch.autograd.gradcheck(lambda x: x * x, leaf([1.5, 2.5]))
torch.autograd.gradcheck(lambda x: (x * x, x.detach().long()), leaf([1.5], "float64"))
torch.autograd.gradcheck(lambda x: x * 2, t([1.0], dtype=torch.float64))
torch.autograd.gradcheck(lambda x: 1.0, leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: t([1.0]), leaf([1.0], "float64"))
torch.autograd.gradcheck(lambda x: x, leaf([1.0], "float64"), nonsense=True)
torch.autograd.gradcheck(lambda x: x * x, leaf([1.0, 2.0], "float64"), fast_mode=True)
torch.autograd.gradcheck(lambda x: x * x, leaf([1.0, 2.0], "float64"), check_batched_grad=False)
torch.autograd.gradcheck(lambda x: x * x, leaf([1.0, 2.0], "float64"), nondet_tol=0.0)
torch.autograd.gradgradcheck(lambda x: x**3, leaf([1.0, 2.0], "float64"))
torch.autograd.gradgradcheck(lambda x: x * 2, leaf([1.0, 2.0], "float64"))
torch.autograd.gradgradcheck(lambda x: x**3, leaf([1.0, 2.0], "float64"), t([1.0, 1.0], dtype=torch.float64, requires_grad=True))
torch.autograd.gradgradcheck(lambda x: x**2 * x.detach(), leaf([1.0, 2.0], "float64"))
torch.autograd.gradgradcheck(lambda x: x.exp() * x.detach(), leaf([1.0], "float64"), raise_exception=False)
# modes
[torch.is_grad_enabled(), torch.is_inference_mode_enabled()]
torch.no_grad()(lambda: torch.is_grad_enabled())()
torch.no_grad(lambda: torch.is_grad_enabled())()
torch.enable_grad()(lambda: torch.is_grad_enabled())()
torch.set_grad_enabled(False)(lambda: torch.is_grad_enabled())()
torch.inference_mode()(lambda: [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])()
torch.inference_mode(False)(lambda: [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])()
torch.no_grad()(lambda x: x * 2)(leaf([1.0]))
torch.no_grad()(lambda: [1, 2])()
torch.set_grad_enabled("a")
torch.autograd.no_grad is torch.no_grad
torch.autograd.set_grad_enabled is torch.set_grad_enabled
# anomalies
torch.is_anomaly_enabled()
# copies
copy_of(lambda copy, x: [copy.copy(x) is x, copy.deepcopy(x) is x])
copy_of(lambda copy, x: copy.deepcopy(x))
copy_of(lambda copy, x: copy.copy(x))
copy_of(lambda copy, x: copy.deepcopy(x.detach()))
copy_of(lambda copy, x: copy.deepcopy(x * 2))
copy_of(lambda copy, x: copy.copy(x * 2))
copy_of(lambda copy, x: copy.deepcopy([x, x])[0])
copy_of(lambda copy, x: (lambda c: c[0] is c[1])(copy.deepcopy([x, x])))
copy_of(lambda copy, x: (copy.deepcopy(x).data.zero_(), x))
copy_of(lambda copy, x: (copy.copy(x).data.zero_(), x))
copy_of(lambda copy, x: ((x * 3).sum().backward(), copy.deepcopy(x).grad)[1])
copy_of(lambda copy, x: ((x * 3).sum().backward(), copy.deepcopy(x).grad is x.grad)[1])
copy_of(lambda copy, x: ((x * 3).sum().backward(), copy.copy(x).grad)[1])
copy_of(lambda copy, x: copy.deepcopy(x[:1].detach()))
copy_of(lambda copy, x: (lambda c: (c[0].zero_(), c[1]))(copy.deepcopy((lambda y: [y, y[:1]])(x.detach()))))
copy_of(lambda copy, x: x.clone())
copy_of(lambda copy, x: x.clone().detach().is_leaf)
"""


def checkpointing_a_chain(torch):
    counts = []

    def layer(x):
        counts.append(1)
        return torch.tanh(x * 2).exp()

    found = []
    for use_reentrant in (False, True):
        x = torch.tensor([0.5, 1.0], requires_grad=True)
        y = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=use_reentrant)
        before = len(counts)
        y.sum().backward()
        found.append([y.detach(), x.grad, before, len(counts)])
    return found


def checkpointing_without_saying_how(torch):
    x = torch.tensor([0.5], requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(torch.exp, x)
    y.backward()
    return [y.detach(), x.grad]


def checkpointing_what_needs_no_gradient(torch):
    check = torch.utils.checkpoint.checkpoint
    x = torch.tensor([0.5])
    return [check(torch.exp, x, use_reentrant=False), check(torch.exp, x, use_reentrant=True)]


def checkpointing_with_other_arguments(torch):
    def function(x, n, scale=1.0, shift=None):
        y = x**n * scale
        return y if shift is None else y + shift

    x = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([1.0], requires_grad=True)
    check = torch.utils.checkpoint.checkpoint
    y = check(function, x, 3, scale=10.0, shift=b, use_reentrant=False)
    y.backward()
    return [
        y.detach(),
        x.grad,
        b.grad,
        refusal(check, function, x, 3, scale=2.0, use_reentrant=True),
    ]


def checkpointing_with_several_results(torch):
    x = torch.tensor([2.0], requires_grad=True)
    check = torch.utils.checkpoint.checkpoint
    a, b = check(lambda x: (x * x, x.exp()), x, use_reentrant=False)
    (a * b).backward()
    return [a.detach(), b.detach(), x.grad]


def checkpointing_something_that_uses_parameters(torch):
    w = torch.tensor([3.0], requires_grad=True)
    found = []
    for use_reentrant in (False, True):
        x = torch.tensor([2.0], requires_grad=True)
        w.grad = None
        y = torch.utils.checkpoint.checkpoint(lambda x: w * x * x, x, use_reentrant=use_reentrant)
        y.backward()
        found.append([x.grad, w.grad])
    return found


def checkpointing_and_grad(torch):
    check = torch.utils.checkpoint.checkpoint
    x = torch.tensor([2.0], requires_grad=True)
    y = check(lambda x: x * x, x, use_reentrant=False)
    found = [torch.autograd.grad(y, x)]
    y = check(lambda x: x * x * x, x, use_reentrant=False)
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    found.append(torch.autograd.grad(slope, x))
    return found


def checkpoints_inside_checkpoints(torch):
    check = torch.utils.checkpoint.checkpoint

    def inner(x):
        return torch.tanh(x).exp()

    def outer(x):
        return check(inner, x * 2, use_reentrant=False) * x

    x = torch.tensor([0.5], requires_grad=True)
    y = check(outer, x, use_reentrant=False)
    y.backward()
    return [y.detach(), x.grad]


def a_checkpoint_of_something_that_changes(torch):
    turns = []

    def fickle(x):
        turns.append(1)
        return x.exp() if len(turns) == 1 else x.exp().tanh().exp()

    x = torch.tensor([0.5], requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(fickle, x, use_reentrant=False)
    return refusal(y.backward).split(":")[0]


def an_anomaly(torch):
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    with torch.autograd.detect_anomaly():
        y = (torch.sqrt(x) * torch.tensor([0.0, 1.0])).sum()
        y.backward()


def an_anomaly_of_the_second_argument(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([0.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        return refusal((x * 0 / y).sum().backward)


def no_anomaly(torch):
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        torch.sqrt(x).sum().backward()
    found = [x.grad, torch.is_anomaly_enabled()]
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        found.append([torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()])
        (torch.sqrt(x) * torch.tensor([0.0, 1.0])).sum().backward()
    return [*found, x.grad]


def anomaly_detection_switched_on_and_off(torch):
    torch.autograd.set_detect_anomaly(True)
    found = [torch.is_anomaly_enabled()]
    with torch.autograd.set_detect_anomaly(False):
        found.append(torch.is_anomaly_enabled())
    found.append(torch.is_anomaly_enabled())
    torch.autograd.set_detect_anomaly(False)
    return [*found, torch.is_anomaly_enabled()]


def modes_inside_modes(torch):
    found = []
    with torch.no_grad():
        found.append(torch.is_grad_enabled())
        with torch.enable_grad():
            found.append(torch.is_grad_enabled())
            with torch.set_grad_enabled(False):
                found.append(torch.is_grad_enabled())
            found.append(torch.is_grad_enabled())
            with torch.inference_mode():
                found.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
                with torch.enable_grad():
                    found.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
            found.append(torch.is_grad_enabled())
        found.append(torch.is_grad_enabled())
    return [*found, torch.is_grad_enabled()]


def a_mode_switched_inside_another(torch):
    found = []
    with torch.no_grad():
        torch.set_grad_enabled(True)
        found.append(torch.is_grad_enabled())
    found.append(torch.is_grad_enabled())
    torch.set_grad_enabled(False)
    found.append(torch.is_grad_enabled())
    with torch.enable_grad():
        found.append(torch.is_grad_enabled())
    found.append(torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    return [*found, torch.is_grad_enabled()]


def a_mode_left_by_an_exception(torch):
    def leave(mode):
        with mode:
            raise ValueError("leave")

    kinds = (torch.no_grad, lambda: torch.set_grad_enabled(False), torch.inference_mode)
    return [[refusal(leave, mode()), torch.is_grad_enabled()] for mode in kinds]


def a_decorated_generator(torch):
    found = []

    @torch.no_grad()
    def numbers():
        try:
            while True:
                sent = yield torch.is_grad_enabled()
                found.append(["sent", sent, torch.is_grad_enabled()])
        except ValueError:
            found.append(["thrown", torch.is_grad_enabled()])
            yield "caught"
        finally:
            found.append(["closed", torch.is_grad_enabled()])

    generator = numbers()
    found += [next(generator), torch.is_grad_enabled(), generator.send(5)]
    found += [generator.throw(ValueError("x")), torch.is_grad_enabled()]
    generator.close()
    return [*found, torch.is_grad_enabled()]


def a_generator_that_changes_the_mode_itself(torch):
    def numbers():
        with torch.no_grad():
            yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    generator = numbers()
    found = [next(generator), torch.is_grad_enabled(), next(generator), torch.is_grad_enabled()]
    generator.close()
    return found


def a_decorated_method_and_its_name(torch):
    class Model:
        @torch.no_grad()
        def predict(self, x):
            """Predict."""
            return (x * 2).requires_grad

        @staticmethod
        @torch.no_grad()
        def of(x):
            return (x * 2).requires_grad

    x = torch.tensor(1.0, requires_grad=True)
    predict = Model.predict
    return [Model().predict(x), Model.of(x), predict.__name__, predict.__doc__]


def a_recursive_decorated_function(torch):
    @torch.no_grad()
    def down(n):
        return [torch.is_grad_enabled(), *(down(n - 1) if n else [])]

    return [down(3), torch.is_grad_enabled()]


def modes_in_threads(torch):
    found = {}

    def look(name):
        found[name] = torch.is_grad_enabled()

    with torch.no_grad():
        thread = threading.Thread(target=look, args=("inside",))
        thread.start()
        thread.join()
        look("here")
    return found


def graphs_in_threads(torch):
    results = [None] * 4

    def work(i):
        x = torch.tensor([float(i)], requires_grad=True)
        y = x
        for _ in range(50):
            y = torch.tanh(y) + x
        y.backward()
        results[i] = x.grad

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def threads_that_share_a_leaf(torch):
    w = torch.tensor([2.0], requires_grad=True)

    def work(i):
        (w * i).backward()

    for i in range(4):
        thread = threading.Thread(target=work, args=(i,))
        thread.start()
        thread.join()
    return w.grad


def backward_in_another_thread(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * x
    thread = threading.Thread(target=y.backward)
    with torch.no_grad():
        thread.start()
        thread.join()
    return x.grad


def pickled_tensors(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    x.sum().backward()
    again = pickle.loads(pickle.dumps(x))
    detached = pickle.loads(pickle.dumps((x * 2).detach()))
    found = [again, again.grad, again.is_leaf, detached]
    for dtype in (torch.int64, torch.bool, torch.float64):
        found.append(pickle.loads(pickle.dumps(torch.ones(2, dtype=dtype))))
    return found


def pickled_results_lose_their_history(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    again = pickle.loads(pickle.dumps(x * 2))
    return [again, again.is_leaf, again.requires_grad]


def copied_attributes(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).sum().backward()
    twin = copy.deepcopy(x)
    twin.grad.zero_()
    shallow = copy.copy(x)
    found = [x.grad, twin.grad, shallow is x, shallow.requires_grad, shallow.is_leaf]
    shallow.data[0] = 9.0
    return [*found, x]


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)

NEEDS = {
    "threads": {
        "modes_in_threads",
        "graphs_in_threads",
        "threads_that_share_a_leaf",
        "backward_in_another_thread",
    }
}
