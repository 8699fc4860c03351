"""Loss functions: how far predictions are from their targets, as one number.

``reduction``       what all losses share: from an array of losses to one number
``regression``      the losses of predicted numbers
``probability``     the losses of predicted probabilities
``classification``  the losses of predicted classes

What PyTorch records as one node is one operation here, with the reduction to a number in it.
Programs find these functions in ``nn.functional``.
"""
