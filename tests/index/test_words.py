import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from string import ascii_lowercase

import pytest
import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]
from hypothesis import given
from hypothesis import strategies as st

from graphmem.index import STOP_WORDS, name_key, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann's dog", "ann dog"),
        ("don’t won't", "dont wont"),
        ("l'eau O'Brien", "l eau o brien"),
        ("SR-2023-052", "sr-2023-052 sr 2023 052"),
        ("ann@acme.com", "ann@acme.com ann acme com"),
        ("C++ and C#.", "c++ c and c# c"),
        ("end. Next-", "end next"),
        ("ＡＢＣ ｱﾝﾅ", "abc アン ンナ"),
        ("王小明喜欢猫", "王小 小明 明喜 喜欢 欢猫"),
        ("猫 cat猫", "猫 cat 猫"),
        ("안녕하세요", "안녕 녕하 하세 세요"),
        ("नमस्ते دنیا", "नमस्ते دنیا"),
        ("Straße ÉCOLE e\u0301cole", "strasse école école"),
        ("tea👍🏽party 👩‍🚀", "tea 👍 party 👩 🚀"),
        ("a\x00b\x1bc\td\n", "a b c d"),
        ("zero\u200bwidth", "zerowidth"),
        ("…?!-- '' #", ""),
        ("", ""),
    ],
)
def test_words_of_any_script(text: str, expected: str) -> None:
    assert words(text) == tuple(expected.split())


def test_a_word_is_cut_after_128_characters() -> None:
    assert words("x" * 500) == ("x" * 128,)
    assert max(map(len, words("a-" * 500 + "é" * 500))) == 128


@given(st.text())
def test_any_text_has_words_that_stand_for_themselves(text: str) -> None:
    for word in words(text):
        assert word.strip() == word != ""
        assert word in words(word) or len(word) == 128


def test_terms_drop_stop_words_and_stem() -> None:
    assert terms("What were the dogs running after?") == ("dog", "run")
    assert terms("the SR-2023-052s") == ("sr-2023-052s", "sr", "2023", "052s")


def test_stop_words_alone_stay() -> None:
    assert terms("Who is it?") == ("who", "is", "it")
    assert "who" in STOP_WORDS


def test_stems_do_not_depend_on_other_threads() -> None:
    texts = [f"{a}{b}runnings" for a in ascii_lowercase for b in ascii_lowercase]
    stemmer = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType]
    expected = [(stemmer.stemWord(text),) for text in texts]  # pyright: ignore
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(lambda: list(map(terms, texts))) for _ in range(4)]
        found = [one.result() for one in running]
    sys.setswitchinterval(interval)

    assert found == [expected] * 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann  Lee", " ann lee\n"),
        ("Ｒｏｏｍ　１０１", "room 101"),
        ("ｶﾞﾚｰｼﾞ", "ガレージ"),
        ("Cafe\u0301", "café"),
    ],
)
def test_one_name_has_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x²", "x2"),
        ("SR-2023-052", "SR-2023-053"),
        ("Rev A", "Rev А"),  # Latin and Cyrillic
        ("①", "1"),
        ("Jose", "José"),
        ("C", "C++"),
        ("か", "が"),
    ],
)
def test_names_that_differ_in_more_than_form_keep_their_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text())
def test_a_key_is_its_own_key(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == key
    assert unicodedata.is_normalized("NFC", key)
