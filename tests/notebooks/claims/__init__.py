"""What each notebook claims, asserted on the notebook as it was run: ``test_nbNN.py``.

``ran.after("cell-12")["e"]`` is a variable as it was when that cell had run, ``ran.printed`` what a
cell printed. So the learner's cells hold no assert, and a changed number raises nothing.
"""
