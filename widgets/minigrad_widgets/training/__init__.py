"""What ``TrainingLoop`` knows of a training, and how it comes to know it.

``hooks``   what is put on a model, its optimiser and the interrupt signal
``record``  what they tell, step by step
``course``  what the page is told of it
``curves``  long curves in few points
"""
