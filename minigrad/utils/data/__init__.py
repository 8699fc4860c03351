"""Where training data comes from. Counterpart: ``torch.utils.data``.

``dataset``     examples by number, or one after the other
``sampler``     in which order
``dataloader``  in batches
"""

# ruff: noqa: I001 -- names side by side, not one a line

from ...missing import missing_from
from .dataloader import DataLoader, default_collate, default_convert, get_worker_info
from .dataset import (
    ChainDataset, ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset, random_split,
)  # fmt: skip
from .sampler import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler,
    WeightedRandomSampler,
)  # fmt: skip

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "Subset", "SubsetRandomSampler",
    "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert",
    "get_worker_info", "random_split",
]  # fmt: skip

__getattr__ = missing_from(__name__)
