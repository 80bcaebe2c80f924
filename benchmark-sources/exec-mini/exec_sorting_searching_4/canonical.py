from typing import Dict


def dense_rank_scores(scores: Dict[str, int], lowest_first: bool = False) -> Dict[str, int]:
    """Place of each player, 1 for the best; with `lowest_first` the smallest score is best."""
    places = {}

    def assign(name: str, rank: int) -> None:
        places[name] = rank

    place = 0
    previous = None
    ordered = sorted(scores.items(), key=lambda item: item[1], reverse=not lowest_first)
    for player, score in ordered:
        if previous is None or score != previous:
            place += 1
        assign(player, place)
        previous = score
    return places
