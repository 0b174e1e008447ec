"""Why two calls are not the same: the kind of each difference, in words, and the option that accepts it (contract 7).

`differences` names what is unequal in the arguments of a pair, `calls` what is wrong with calls without a partner;
`joining` finds keys that were renamed or moved, `values` says how two values differ, `quantities` reads numbers with
their units, `names` tells names that are nearly the same.
"""
