"""What exists only for speed: a reader may skip this folder.

Each function here does what its *plain twin* does: a few lines of ordinary operations, in the same
file or in ``nn`` where it is called. The tests hold the two together, values and derivatives;
``python tests/benchmarks/fast.py`` measures what each buys, and each file begins with that.

``convolution``    a kernel and what it meets, laid out as matrices
``cross_entropy``  the loss of a classifier as one operation
``layer_norm``     a normalisation as one operation
``linear``         a layer's weighted sums as one operation
``lstm``           an LSTM's walk through a sequence as one operation
``pooling``        where the largest entry under each window is
``small_parameters``  those that an optimiser moves in one go
"""
