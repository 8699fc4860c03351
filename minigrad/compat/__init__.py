"""What exists only because PyTorch has it. A reader of minigrad may skip this folder.

``arguments``    what the arguments of operations may be, and what is said of others, in its words
``devices``      devices to name and to ask for; all tensors are on the CPU
``legacy``       ``FloatTensor`` and the like
``other_names``  second names of methods: ``x.absolute()``
``missing``      what is said of a name that minigrad does not have
``install``      ``install_as_torch``: programs that say ``import torch`` get minigrad
"""
