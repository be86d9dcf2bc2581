from ._lazy import __getattr__  # what asks, writes charts and profiles ops
