"""Numbers to numbers: intervals, tests, pass@k, precision and recall; nothing here knows of a trace or a call.

Everything takes exact sufficient statistics (counts, rational sums), never a list of scores, so the
result for a tally that was added up from parts equals the result for the whole, bit for bit.
"""

from rightcall.stats.detectable import detectable_mean, detectable_pass_rate
from rightcall.stats.flakiness import Flakiness, Flaky, flakiness
from rightcall.stats.holm import holm
from rightcall.stats.intervals import Interval, mean_interval, wilson
from rightcall.stats.mcnemar import McNemar, mcnemar
from rightcall.stats.paired import MeanDifference, mean_difference
from rightcall.stats.pass_k import mean_over_cases, pass_at_k, pass_hat_k
from rightcall.stats.prf import PrecisionRecall, macro, precision_recall

__all__ = [
    "Flakiness",
    "Flaky",
    "Interval",
    "McNemar",
    "MeanDifference",
    "PrecisionRecall",
    "detectable_mean",
    "detectable_pass_rate",
    "flakiness",
    "holm",
    "macro",
    "mcnemar",
    "mean_difference",
    "mean_interval",
    "mean_over_cases",
    "pass_at_k",
    "pass_hat_k",
    "precision_recall",
    "wilson",
]
