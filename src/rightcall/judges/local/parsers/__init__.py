"""Typed parsers, one kind of value a file. A member declares ``ORDER``, ``claims`` and ``compare``.

``ORDER``: which is asked first, small numbers before large ones, and the claimed ones before all others.
``claims(about)``: whether schema or name say that the argument is of this kind.
``compare(a, b, about, claimed, inner)``: a verdict, or None where it does not read both values. Without a claim it
reads only shapes that nothing else has. `inner` judges two values that are parts of these.
"""
