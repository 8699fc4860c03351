"""The engine: the path from ``a * b`` to ``a.grad``, to be read in this order.

``record``       how an operation is declared, and what happens each time it runs
``node``         the graph that this leaves behind: nodes, edges, what was saved
``backward``     the pass back through it, step by step, to every ``.grad``
``unbroadcast``  a gradient in the shape of its value
``modes``        ``no_grad`` and its relatives; another form for what is saved
``views``        several tensors of one memory, writes to it, hooks

Two helpers: ``operands`` (numbers, dtypes and mistakes, before an operation runs) and ``atomic``
(assignments between which no Ctrl-C comes).
"""
