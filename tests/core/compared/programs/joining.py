"""Programs that join tensors, and ask how the result lies in memory."""

from __future__ import annotations

EXPRESSIONS = """
torch.cat([x, x]).stride()
torch.cat([x, x], 1).stride()
torch.cat([x, torch.ones(3, 2)], -1).stride()
torch.cat([x, x]).view(-1)
torch.stack([x, x]).stride()
torch.stack([x, x], 1).stride()
torch.stack([x, x], -1).is_contiguous()
torch.stack([leaf([[1.0, 2.0]]).T, x[:2, :1]]).view(4)
torch.hstack([x, x]).is_contiguous()
torch.vstack([x, x]).is_contiguous()
"""

VALUES = {"x": "torch.arange(6.0).reshape(2, 3).T"}

PROGRAMS = ()
