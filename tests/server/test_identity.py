"""Who somebody is: words that can't be forged, changed, swapped or kept for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtown.server.identity import (
    CODE_LENGTH,
    YEAR,
    IdentityError,
    Signer,
    fingerprint,
    new_code,
    new_person,
    new_token,
    signing_key,
)

SIGNER = Signer(b"k" * 32)


def test_the_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    key = signing_key(tmp_path)
    assert signing_key(tmp_path) == key
    assert signing_key(tmp_path) != b"\0" * 32
    assert [file.name for file in tmp_path.iterdir()] == ["signing-key"]
    assert stat.S_IMODE((tmp_path / "signing-key").stat().st_mode) == 0o600


def test_a_key_that_others_may_read_or_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    signing_key(tmp_path)
    file = tmp_path / "signing-key"
    os.chmod(file, 0o644)
    with pytest.raises(IdentityError, match="others may read it"):
        signing_key(tmp_path)
    os.chmod(file, 0o600)
    file.write_bytes(b"short")
    with pytest.raises(IdentityError, match="is not a key of 32 bytes"):
        signing_key(tmp_path)


def test_a_word_names_its_person_until_it_is_too_old() -> None:
    person = new_person()
    word = SIGNER.sign(person, now=1000.0)
    assert SIGNER.read(word, now=1000.0) == person
    assert SIGNER.read(word, now=1000.0 + YEAR - 1) == person
    assert SIGNER.read(word, now=1000.0 + YEAR) is None
    assert [SIGNER.is_old(word, 1000.0 + half * YEAR / 2) for half in (0.0, 0.9, 1.1)] == [False, False, True]


def test_a_word_signed_elsewhere_names_nobody() -> None:
    assert Signer(b"o" * 32).read(SIGNER.sign("mia", 0.0), 1.0) is None


def test_the_seal_of_one_person_does_not_fit_another() -> None:
    mia, noa = SIGNER.sign("mia", 0.0), SIGNER.sign("noa", 0.0)
    swapped = noa.rpartition(".")[0] + "." + mia.rpartition(".")[2]
    assert SIGNER.read(swapped, 1.0) is None


@given(st.integers(0, 60), st.characters(codec="ascii"))
def test_a_changed_word_names_nobody(at: int, letter: str) -> None:
    word = SIGNER.sign("mia", 0.0)
    at %= len(word)
    changed = word[:at] + letter + word[at + 1 :]
    assert changed == word or SIGNER.read(changed, 1.0) is None


@given(st.text(max_size=80))
def test_any_other_text_names_nobody(text: str) -> None:
    assert SIGNER.read(text, 1.0) is None


def test_tokens_and_codes_are_never_the_same_twice_and_are_kept_as_fingerprints() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len({new_code() for _ in range(100)}) == 100
    assert {len(new_code()) for _ in range(20)} == {CODE_LENGTH}
    token = new_token()
    assert token not in fingerprint(token)
    assert fingerprint(token) == fingerprint(token) != fingerprint(new_token())
