"""Whether what several threads compute is the same each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def same_each_time(computed: Callable[[], Any]) -> bool:
    """Whether a tensor comes out the same six times, in four threads of torch.

    It has to be large: sums of few numbers are not shared out among threads.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        first = computed()
        return all(torch.equal(computed(), first) for _ in range(5))
    finally:
        torch.set_num_threads(threads)
