"""The reference: a page for each public name, from its docstring.

pdoc reads the objects: their signatures, docstrings, members and lines. How a page looks is the
site's own: small pages without JavaScript, in the templates of ``parts/reference``.

``names``     which names are public, and which of them are one thing
``lines``     the lines of the source that define a name
``texts``     a docstring as HTML: its words, its example, its counterpart
``entries``   what stands on the page of a name
``tables``    what minigrad covers, its choices at kinks, and the pages of the errors
``build``     all of it as files
"""
