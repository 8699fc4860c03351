"""The course as a static site: nothing to install, nobody's server.

    python lab.py site                build it into site/, and show it on this machine
    python lab.py site --build-only   build it, for a host

From top to bottom; each file imports only files further down:

``__main__``    the command, and what the site consists of
``sizes``       how large the parts are, on the disk and on their way to a reader
``serve``       shows a built site on this machine, as a static host would
``reference/``  a page for each public name, from its docstring, and for each error's code
``front``       the front page, with a backward pass to step through
``pages``       the lessons as pages that can be read and stepped without a kernel
``parts/``      what the pages are made from: templates, a stylesheet, and a script
``lite``        JupyterLite with the lessons, Python and all packages among the site's own files
``copies``      what a learner's copy of a lesson remembers of it
``slim``        packages without what no lesson reads
``lock``        our wheels among those that Python in the browser knows
``downloads``   what comes from outside, once, each file checked by its hash
``versions``    which versions, and the addresses that the site is published at
"""
