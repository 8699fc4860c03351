"""Operations on each entry, or on each pair of entries, whose shapes broadcast.

``arithmetic``    add, sub, mul, neg, abs, sign, addcmul, lerp
``division``      div, floor_divide, remainder, fmod, reciprocal
``powers``        pow, square, sqrt, rsqrt, hypot
``exponential``   exp, log and their relatives, logaddexp, xlogy, logit
``trigonometry``  sin, cos, atan2 …; sinh, tanh …; degrees and radians
``special``       erf, erfc
``rounding``      floor, ceil, trunc, frac, round
``choices``       where, maximum, fmax, clamp, nan_to_num
``comparison``    eq, lt, isnan, isclose, isin …: the answers are booleans
``logic``         logical_and, bitwise_and, shifts …
``promotion``     operands in one dtype

Each rule is the line that you would find in a table of derivatives, times ``g``, the gradient of
the result. Integers become the default dtype where results are fractions (``floats=True``).

Infinities and NaN are results here, not warnings. ``np.errstate`` says so to NumPy where the
ordinary domain has them; it costs a microsecond, so the others do without (see
``ops/__init__``).
"""
