"""ONNX Runtime, which is told not to report its use."""

from __future__ import annotations

import os
from typing import Any


def onnx_runtime() -> Any:
    """The module ``onnxruntime``.

    Its official builds write an identifier of the machine to the user's cache folder and send
    what they do to Microsoft, unless ``ORT_DISABLE_TELEMETRY`` is set before they begin. A
    value that is there already stays: ``0`` lets them report.

    Raises:
        ImportError: it is not installed.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    return onnxruntime
