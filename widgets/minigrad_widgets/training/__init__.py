"""What ``TrainingLoop`` knows of a training, and how it comes to know it.

``library``  what it must know of the library that the training is written with
``hooks``    what is put on a model, its optimiser and the interrupt signal
``record``   what they tell, step by step
``wiring``   whether model, optimiser and loss belong together
``course``   what the page is told of it
``curves``   long curves in few points
"""
