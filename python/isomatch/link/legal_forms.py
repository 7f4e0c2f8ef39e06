"""The legal forms that the name of a company may end with: "Nippon Bearing Co."."""

from __future__ import annotations

from functools import cache

# Folded, and without full stops.
_LEGAL = (
    "ab ag aps as asa bv co company corp corporation ev gmbh inc incorporated kg kgaa kk limited "
    "llc llp lp ltd ltda mbh nv ohg oy oyj plc pllc pte pty sa sarl sas se spa srl ug"
)


@cache
def legal_forms() -> tuple[str, ...]:
    """As they are written: with full stops, or without."""
    joined = (
        "gmbh & co. kg",
        "co., ltd.",
        "co., ltd",
        "co. ltd.",
        "co. ltd",
        "pty ltd",
        "pty. ltd.",
        "& co",
        "& co.",
        "& co. kg",
        "& co., inc.",
        "& co., ltd.",
    )
    plain = _LEGAL.split()
    return (
        *joined,
        *plain,
        *(f"{one}." for one in plain),
        *("".join(f"{c}." for c in one) for one in plain),
    )
