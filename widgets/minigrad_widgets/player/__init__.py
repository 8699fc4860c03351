"""What ``TapePlayer`` records: a block of a program, forwards and backwards, moment by moment.

``statements``  where each statement of a text begins, what it assigns, and the loops around it
``variables``   which variables there are, and which of them a statement has changed
``lines``       follows the lines of a running block, and its calls
``moments``     what is taken down of each thing that happens
``recording``   the moments in their order, bounded
``page_data``   the same as the page gets it
``no_block``    the same of a result that nobody recorded
"""
