"""What follows from what was said: slots, conclusions, and the edge rows that change."""

from graphmem.conclude.conclusion import Conclusion, conclude, timeline
from graphmem.conclude.gathering import Gathered, gather
from graphmem.conclude.reconciliation import Reconciled, reconcile
from graphmem.conclude.slot import Slot, slots

__all__ = [
    "Conclusion",
    "Gathered",
    "Reconciled",
    "Slot",
    "conclude",
    "gather",
    "reconcile",
    "slots",
    "timeline",
]
