"""Pictures as PNGs: valid, small, the same for the same, nothing cut or on top of another, whatever the names."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import combinations
from random import Random
from string import printable

import pytest
from PIL import Image

from engine.dog import retelling as dog_retelling
from engine.gravity import retelling
from engine.gravity.birds import Bird
from engine.gravity.facts import GuessTold, RevealTold
from engine.gravity.moves import Guess
from engine.gravity.rules import GRAVITY
from handler.picture import Drawing, GravityTale, Illustration, Party, Ring, Table
from handler.views.dog import pictures as dog
from handler.views.gravity import pictures as gravity
from handler.words import LANGUAGES, catalogue, speaking
from infra.drawing import colours, draw, fonts
from infra.drawing.canvas import Canvas
from infra.drawing.fonts import drawable, fitted, wrapped
from infra.drawing.parts import SMALL, WIDTH, name_of
from tests.engine import dog_matches, matches
from tests.handler import dog_positions, positions
from tests.shared import ROOT

ODD_NAMES = ("Ann", "W" * 64, "محمد بن عبد الله", "李小龙", "\N{FOX FACE}\N{FOX FACE}", "Zoë Ångström", "שרה")
LARGEST = 150_000


def drawings(*names: str) -> Iterator[Drawing]:
    """Pictures of every kind, crowded and empty ones among them, with seven names."""
    two, seven = positions.framed(*names[:2]), dog_positions.framed(*(*names, *dog_positions.NAMES)[:7])
    told: list[Illustration | None] = []
    played = list(matches.played(bytes([5]) * 32, matches.by_chance(Random(5))))
    for _, state in played[:: len(played) // 3]:
        told += [gravity.ring(two, GRAVITY.view(state, viewer)) for viewer in (None, 0)]
    crowded = next(state for _, state in reversed(played) if state.board.stage == "guesses")
    view = GRAVITY.view(crowded, 0)
    wrong = [(seat, bird) for seat in range(1, 12) for bird in list(Bird)[seat % 4 : seat % 4 + seat % 5]]
    guesses = (GuessTold(1, 1, 1, Guess(seat, bird), -4) for seat, bird in wrong)
    told.append(
        gravity.ring(
            two,
            replace(
                view,
                told=(RevealTold(1, Bird.LOVEBIRD_A, 3), *guesses),
                board=replace(view.board, revealed=((2, Bird.LOVEBIRD_B), (6, Bird.PENGUIN), (9, Bird.RAVEN))),
            ),
        )
    )
    told.append(gravity.story(two, retelling.retold(played[-1][0].history)))
    silent = matches.finished(bytes([5]) * 32, lambda state, player: None)[0]
    told.append(gravity.story(two, retelling.retold(silent.history)))
    told += [dog.table(seven, position.public) for position in dog_positions.positions()[1:40:4]]
    for mover in (dog_matches.by_chance(Random(3)), dog_matches.silent):
        told.append(dog.story(seven, dog_retelling.retold(dog_matches.finished(bytes([3]) * 32, mover))))
    yield from (each.drawing for each in told if each is not None)


@cache
def gallery(language: str) -> tuple[Drawing, ...]:
    with speaking(language):
        return tuple(drawings(*ODD_NAMES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_is_a_small_png_of_a_phones_shape(language: str) -> None:
    for drawing in gallery(language):
        png = draw(drawing)
        assert len(png) < LARGEST
        with Image.open(BytesIO(png)) as image:
            image.load()
            assert image.format == "PNG"
            assert image.width == WIDTH
            assert 1000 < image.height < 2360


def test_a_house_player_goes_by_the_bare_name_with_a_sign_that_is_explained() -> None:
    tower = next(each for each in gallery("en") if isinstance(each, Table))
    assert tower.house == ""
    names = ("Ann", "Strix (house player)", *dog_positions.NAMES[2:])
    framed = replace(dog_positions.framed(*names), bare=(None, "Strix", *[None] * 5))
    shown = dog.table(framed, dog_positions.positions()[1].public)
    assert shown is not None
    assert isinstance(shown.drawing, Table)
    assert (shown.drawing.parties[1], shown.drawing.house) == (
        Party("2", "Strix", "Seat 2", house=True),
        "house player",
    )
    assert draw(shown.drawing) != draw(replace(shown.drawing, house=""))


def test_equal_drawings_give_equal_pictures_and_others_others() -> None:
    one, other = gallery("en"), tuple(drawings(*ODD_NAMES))
    assert one == other
    pictures = [draw(drawing) for drawing in one[:4]]
    assert pictures == [draw(drawing) for drawing in other[:4]]
    assert len(set(pictures)) == len(set(one[:4]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_inside_its_picture_and_none_on_another(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[tuple[Canvas, int]] = []

    def kept(canvas: Canvas, height: int) -> bytes:
        sheets.append((canvas, height))
        return b""

    monkeypatch.setattr(Canvas, "png", kept)
    for drawing in gallery(language):
        draw(drawing)
    assert sum(len(list(canvas.texts())) for canvas, _ in sheets) > 500
    for canvas, height in sheets:
        boxes = [(text, *box) for text, box in canvas.texts()]
        for text, left, top, right, bottom in boxes:
            assert left >= 0 and top >= 0 and right <= WIDTH and bottom <= height, text  # noqa: PT018
        for (one, a, b, c, d), (other, e, f, g, h) in combinations(boxes, 2):
            assert a >= g or e >= c or b >= h or f >= d, (one, other)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["李小龙", "\N{FOX FACE}", "A\N{FOX FACE}", "नमस्ते", "กขค", "\ud800", "\u200d", "Z\u0302\u0301\u0303\u0308a"]
)
def test_a_name_that_cannot_be_drawn_gives_way_to_the_seat(name: str) -> None:
    assert name_of(Party("3", name, "Seat 3"), 34, 400) == "Seat 3"
    assert name_of(Party("EC", name, ""), 34, 400) == ""


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë Ångström", "Владимир", "Ελένη", "Nguyễn Văn A", "Nguye\u0302\u0303n", "A & <b>"]
)
def test_a_name_that_can_be_drawn_is(name: str) -> None:
    assert name_of(Party("3", name, "Seat 3"), 34, 400) == name


def test_a_name_from_right_to_left_needs_what_sets_it_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fonts.has("regular", "م")
    for both_ways in (True, False):
        monkeypatch.setattr(fonts, "_is_set_both_ways", lambda there=both_ways: there)
        assert drawable("محمد", "regular") is both_ways
        assert drawable("Ann", "regular")


def test_a_long_name_is_cut_to_its_room() -> None:
    for room in (20, 60, 200):
        cut = fitted("Wilhelmina Featherstonehaugh", "regular", 34, room)
        assert cut.endswith("…")
        assert fonts.width(cut, "regular", 34) <= max(room, fonts.width("…", "regular", 34))
    assert fitted("Ann", "regular", 34, 200) == "Ann"


def test_words_are_put_in_lines_and_none_is_lost() -> None:
    text = "each unique number lifts the tower, lowest first"
    rows = wrapped(text, "regular", SMALL, 300)
    assert " ".join(rows) == text
    assert len(rows) > 1
    assert all(fonts.width(row, "regular", SMALL) <= 300 for row in rows)
    assert wrapped("", "regular", SMALL, 300) == ()


def test_the_names_in_a_picture_are_the_players_and_nothing_else_changes_with_them() -> None:
    """Two rings that differ only in names that cannot be drawn are one picture."""
    drafted = [
        next(each for each in drawings("李小龙", name) if isinstance(each, Ring) and each.flocks)
        for name in ("\N{FOX FACE}", "小龙", "Bob")
    ]
    assert len(set(drafted)) == 3
    fox, dragon, bob = map(draw, drafted)
    assert fox == dragon != bob


# --- the fonts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("weight", fonts.FILES)
def test_the_fonts_have_every_letter_of_what_is_written_in_pictures(language: str, weight: fonts.Weight) -> None:
    areas = (
        "pictures.",
        "gravity.bird.name.",
        "gravity.role.",
        "dog.event.",
        "dog.does.",
        "dog.tokens.",
        "dog.letter.",
    )
    entries = catalogue(language).entries
    texts = [form for key, entry in entries.items() if key.startswith(areas) for form in entry.forms]
    assert len(texts) > 60
    assert {
        char for text in (*texts, "+−¼½¾·…→", printable.strip()) for char in text if not fonts.has(weight, char)
    } == set()


def test_the_fonts_come_with_their_licence() -> None:
    folder = ROOT / "infra/drawing/fonts"
    assert {path.name for path in folder.glob("*.ttf")} == set(fonts.FILES.values())
    assert "Permission is hereby granted, free of charge" in (folder / "LICENSE.txt").read_text(encoding="utf-8")


def test_letters_stand_out_from_what_is_behind_them() -> None:
    def light(colour: colours.Colour) -> float:
        """Relative luminance (WCAG 2.2)."""
        red, green, blue = (float(((part / 255 + 0.055) / 1.055) ** 2.4) for part in colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark = (colours.GROUND, colours.PANEL, colours.RAISED, colours.BLOOD)
    pairs = [(letters, behind) for letters in (colours.TEXT, colours.DIM) for behind in dark]
    pairs += [(letters, behind) for letters in (colours.GOLD, colours.TEAL, colours.RED) for behind in dark[:2]]
    pairs += [(behind, colours.INK) for behind in (colours.GOLD, colours.TEAL, colours.RED, colours.TEXT)]
    pairs.append((colours.TEXT, colours.LINE))
    assert min((light(one) + 0.05) / (light(other) + 0.05) for one, other in pairs) > 5.5


# --- how soon the function starts -----------------------------------------------------------------


def test_what_never_draws_does_not_load_pillow() -> None:
    code = "import sys, handler.aws; print(sorted({'PIL', 'infra.drawing.pictures'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_story_and_a_table_are_drawn_as_such() -> None:
    kinds = {type(drawing) for drawing in gallery("en")}
    assert {Ring, Table, GravityTale} < kinds
    assert len(kinds) == 4
