"""The one exception of the package."""


class Rejection(ValueError):
    """Input that a clause of the specification rejects.

    Attributes:
        message: What is wrong.
        reason: Why, as one word of a closed list, such as ``"out_of_range"``.
        clause: The clause that requires the rejection; ``exactum explain CLAUSE`` prints it.
        place: The index of the first rejected element in C order, a JSON pointer into the
            configuration or document, or ``None``.
        help: How to fix it, or ``None``.

    >>> import numpy as np, exactum
    >>> try:
    ...     exactum.cast(np.array([1.0, np.nan]), "int16")
    ... except exactum.Rejection as rejection:
    ...     print(rejection.reason, rejection.clause, rejection.place)
    not_a_number cast_value.special.nan-error 1
    """

    def __init__(
        self,
        message: str,
        reason: str,
        clause: str,
        place: int | str | None = None,
        help: str | None = None,
    ) -> None:
        where = f", element {place}" if isinstance(place, int) else f", {place}" if place else ""
        advice = f"; {help}" if help else ""
        source = f" ({clause}{where})" if clause else ""
        super().__init__(f"{message}{advice}{source}")
        self.message = message
        self.reason = reason
        self.clause = clause
        self.place = place
        self.help = help

    def __reduce__(self) -> tuple[type["Rejection"], tuple[object, ...]]:
        return Rejection, (self.message, self.reason, self.clause, self.place, self.help)
