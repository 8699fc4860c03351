"""What the lessons use: their questions, exercises, runs and drawings, by the lesson's number."""

from . import earlier_cells

earlier_cells.watch()
