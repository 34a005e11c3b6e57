"""Tags of answers. Over HTTP they stand in quotes; whoever hands such a one back is understood."""


def bare_tag(tag: str) -> str:
    return tag.removeprefix("W/").strip('"')
