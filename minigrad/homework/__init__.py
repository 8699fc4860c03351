"""Homework: an assignment from one source, and a grader that a student's code cannot reach.

``assignment``    a folder of homework: its notebook, its exercises, what may be imported
``notebooks``     a notebook's cells, and which statements an answer needs
``student_side``  the process that runs a student's answer, and knows no right one
``kernel``        what Linux itself refuses that process
``stand_in``      that process seen from the grader: what stands for a student's function or class
``grading``       one submission, question by question
``building``      what is handed out: the student's version, the grader's, the teacher's notes
``classroom``     a folder of submissions: on all cores, resumable
``tables``        the grades as Moodle and Canvas read them
``with_nbgrader`` a course for nbgrader, which then has its points from ``grading``
``page``          what the class got wrong, on one page

``python -m minigrad.homework`` leads to all of it. See docs/teaching.md for a walk-through.
"""
