from tools.minor_labels import minor_readings


def _read(texts: list[str]) -> list[float]:
    return [one[0].value for one in minor_readings(texts, [float(text) for text in texts])]


def test_digits_between_powers_of_ten_either_way() -> None:
    upwards = ["5", "10", "2", "5", "100", "2", "5"]
    assert _read(upwards) == [5, 10, 20, 50, 100, 200, 500]
    assert _read(upwards[::-1]) == [500, 200, 100, 50, 20, 10, 5]
    assert _read(["0.1", "5", "1", "5"]) == [0.1, 0.5, 1, 5]


def test_other_ladders_are_none() -> None:
    for texts in (
        ["2", "4", "6", "8", "10"],  # as they are printed
        ["0", "10", "20", "30"],
        ["10", "5", "2", "100", "2"],  # no order
        ["10", "2", "5", "1000", "2"],  # a decade is missing
        ["2", "3", "4", "5"],
    ):
        assert _read(texts) == []
