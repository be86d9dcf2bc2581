"""python3 -m tracy: as python3 -m tacho."""
from tacho.__main__ import main

main("tracy")
