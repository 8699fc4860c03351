"""What ``MemoryTape`` tells the page; what is known, and how it is measured, is the library's.

``page_data``  the curve, the moments, the nodes and what they have saved
``question``   the prediction that is asked for before the curve is shown
"""
