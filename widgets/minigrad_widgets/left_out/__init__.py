"""What happens if a line is left out? The loop of the program runs with it and without, on copies.

``question``    the question, the measurement, and what is said of it
``loop_lines``  the loop in its source
``slicing``     of its lines those on which the training hangs
``harmless``    which of them could change a file, or anything of the program
``guarded``     what they may not do while they run
``copies``      where the training began: model, optimiser and variables
``runs``        the rounds on copies
"""
