"""What can be told to a memory: turns, archives, facts, and what was never so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Unpack

from graphmem.errors import InvalidInput, MissingExtra, ModelUnavailable
from graphmem.ingest import readers
from graphmem.ingest.pipeline import Pipeline
from graphmem.ingest.statement import Object
from graphmem.memory.core import Core
from graphmem.memory.facts import AFFIRMS, DENIES, ENDS, Stated, Told, required, stated_fact
from graphmem.memory.receipts import receipt
from graphmem.memory.turns import live_turn
from graphmem.model import (
    Authority,
    Entity,
    EpisodeKind,
    Receipt,
)
from graphmem.ports import Extractor, View
from graphmem.temporal import Unknown


class Writes(Core):
    """Verbs. Each returns when what it wrote is durable and visible to every later read."""

    def add(
        self,
        text: str,
        *,
        group_id: str | None = None,
        speaker: str | None = None,
        role: str = "user",
        thread_id: str | None = None,
        occurred_at: datetime | str | Unknown | None = None,
        episode_id: str | None = None,
        kind: EpisodeKind | str = EpisodeKind.MESSAGE,
        reply_to: str | None = None,
        mentions: Sequence[str] = (),
        expires_at: datetime | None = None,
    ) -> Receipt:
        """Store one turn, then read its facts.

        The turn is durable and can be searched before its facts are read; if they cannot be, the
        receipt says why and the turn stays. Cost: two transactions, the embedding of the turn
        and of two windows, and the extractor's.

        Args:
            text: The words, kept verbatim.
            group_id: Whose memory.
            speaker: Who said it; "I" in the text means them.
            role: ``user``, ``assistant``, ``tool``, ``system``; only the first two may state.
            thread_id: The conversation; None: the group's thread ``"live"``.
            occurred_at: When it was said. Left out: now. ``UNKNOWN``: nobody knows, never now.
            episode_id: Your own id. A known one with other words makes a new version.
            kind: What it is; only a ``message`` may become somebody's statement.
            reply_to: Id of the episode that it answers.
            mentions: Names mentioned.
            expires_at: When it is to be forgotten.

        Raises:
            InvalidInput: A time without a zone, an unknown kind, or an empty id.
        """
        turn = {
            "text": text,
            "speaker": speaker,
            "role": role,
            "thread_id": thread_id,
            "occurred_at": occurred_at,
            "episode_id": episode_id,
            "kind": kind,
            "reply_to": reply_to,
            "mentions": mentions,
            "expires_at": expires_at,
        }
        return self.add_many([turn], group_id=group_id)[0]

    def add_many(
        self, turns: Iterable[Mapping[str, Any]], *, group_id: str | None = None
    ) -> list[Receipt]:
        """Store several turns, in batches of one transaction.

        Args:
            turns: Mappings with the arguments of ``add``; what is left out means the same.
            group_id: Whose memory.

        Returns:
            A receipt each, in order.

        Raises:
            InvalidInput: A turn that ``add`` would refuse; nothing was written.
        """
        group = self._group(group_id)
        now = self._store.view(group).stamp
        raws = [live_turn(number, turn, now) for number, turn in enumerate(turns)]
        return list(self._pipeline(group, self._extractor).run(raws))

    def ingest(
        self,
        source: str | Path | Iterable[Mapping[str, Any]],
        *,
        group_id: str | None = None,
        format: str | None = None,
        extractor: str | Extractor | None = "local",
        timezone: tzinfo | None = None,
        only: str | None = None,
    ) -> Iterator[Receipt]:
        """Read an archive in; resumable, and the same archive twice changes nothing.

        Work is done as the receipts are taken: each batch is one transaction, durable when its
        receipts come. A record that cannot be read gives a receipt ``failed`` and stops nothing.
        Turns whose facts an earlier, broken run left unread are read first.

        Args:
            source: A file or folder, or rows in the form of our JSON lines.
            group_id: Whose memory.
            format: Name of the reader; None: told from the content.
            extractor: ``"local"``, ``"none"``, or your own.
            timezone: Zone of times that have none; None: such a record fails.
            only: One conversation of many: the id of its thread, or what its threads' ids begin
                with before a colon.

        Yields:
            One receipt a record.

        Raises:
            InvalidInput: Nothing of the source can be read, or its format cannot be told.
            MissingExtra: The extractor is not installed.
        """
        group = self._group(group_id)
        chosen = self._reader(extractor)
        reads = readers.read_source(source, format=format, timezone=timezone, only=only)
        run = None if chosen is None else chosen.run_id
        pipeline = Pipeline(self._writer(group), group, extractor=chosen, run=run)
        return pipeline.run_all(reads)

    def extract(self, *, group_id: str | None = None) -> int:
        """Read the facts of all turns that wait for it; return how many were read.

        Raises:
            MissingExtra: The extractor is not installed.
        """
        group = self._group(group_id)
        chosen = self._reader(self._extractor)
        if chosen is None:
            return 0
        pipeline = Pipeline(self._writer(group), group, extractor=chosen, run=chosen.run_id)
        return pipeline.catch_up()

    def assert_fact(
        self,
        subject: str | Entity,
        relation: str,
        object: Object,
        *,
        group_id: str | None = None,
        **told: Unpack[Told],
    ) -> Receipt:
        """State that ``subject`` ``relation`` ``object``; no model is asked.

        Later statements decide over earlier ones by when they were said, not by when they came.
        Cost: one transaction; the statements of the relation's slot are concluded anew.

        Args:
            subject: A name, an entity or its id.
            relation: Of the catalog by any of its names, or any other words.
            object: Likewise; or a literal: bool, int, float, date, datetime, ``Value("text")``.
            group_id: Whose memory.
            valid_from: Since when it holds; None: not stated. A datetime needs a zone; text and
                dates are coarse and mean the start of their unit.
            valid_to: Until when, exclusive; None: not stated. Coarse ones mean through the unit.
            occurred_at: When it was said. Left out: the episode's time, else now. ``UNKNOWN``:
                nobody knows.
            authority: Who stands behind it; None: a person if there is a speaker or an episode,
                else a record.
            episode_id: The episode that states it, already stored.
            speaker: Who said it; None: the episode's.
            quote: The words that say it; they must stand in the episode if there is one.
            precision: How exactly datetimes given as bounds are known.
            confidence: From 0 to 1; kept, not weighed.
            thread_id: Where it was said, without an episode.
            because: Facts it rests on, as (subject, relation, object).
            expires_at: When it is to be forgotten; it still stops older values then.

        Raises:
            InvalidInput: A name, time or value that cannot be used; nothing was written.
            NotFound: There is no such episode.
        """
        return self._state(Stated(subject, relation, object, AFFIRMS, **told), group_id)

    def assert_many(
        self, facts: Iterable[Mapping[str, Any]], *, group_id: str | None = None
    ) -> Receipt:
        """State many facts in one transaction, all or nothing; no model is asked.

        Args:
            facts: Mappings with the arguments of ``assert_fact`` by name, but ``episode_id``;
                and ``kind``: ``affirms`` (left out), ``ends`` or ``denies``.
            group_id: Whose memory.

        Returns:
            One receipt for all.

        Raises:
            InvalidInput: A fact that cannot be used; nothing was written.
        """
        stated = [stated_fact(number, fact) for number, fact in enumerate(facts, start=1)]
        statements = [one.statement(None) for one in stated]
        recorded = self._writer(self._group(group_id)).state(lambda _: statements)
        return receipt(f"{len(stated)} facts", None, recorded)

    def correct(
        self,
        subject: str | Entity,
        relation: str,
        object: Object,
        *,
        group_id: str | None = None,
        pin: bool = False,
        **told: Unpack[Told],
    ) -> Receipt:
        """State a fact as a user's edit: at the same instant it comes before any other word.

        ``pin`` holds it against everything that is said or imported later. The other arguments are
        those of ``assert_fact``, but ``authority``. To take back what was never so, deny or
        retract it.

        Raises:
            InvalidInput: As ``assert_fact``; or an authority was given.
        """
        if "authority" in told:
            raise InvalidInput(f"authority {told['authority']!r}: a correction is the user's own")
        told["authority"] = Authority.PINNED if pin else Authority.EDIT
        return self._state(Stated(subject, relation, object, AFFIRMS, **told), group_id)

    def end_fact(
        self,
        subject: str | Entity,
        relation: str,
        object: Object | None = None,
        *,
        group_id: str | None = None,
        **told: Unpack[Told],
    ) -> Receipt:
        """State that it stopped being so at ``valid_to``, or else when this was said.

        ``object`` None ends every value. The other arguments are those of ``assert_fact``. What
        held before is not brought back.
        """
        return self._state(Stated(subject, relation, object, ENDS, **told), group_id)

    def deny_fact(
        self,
        subject: str | Entity,
        relation: str,
        object: Object | None = None,
        *,
        group_id: str | None = None,
        **told: Unpack[Told],
    ) -> Receipt:
        """State that it was never so, or not between ``valid_from`` and ``valid_to``.

        What was said of it before is as if never said. ``object`` None denies every value. The
        other arguments are those of ``assert_fact``.
        """
        return self._state(Stated(subject, relation, object, DENIES, **told), group_id)

    def _state(self, stated: Stated, group_id: str | None) -> Receipt:
        group = self._group(group_id)
        wanted = stated.episode_id

        def make(view: View) -> list[Any]:
            found = view.episodes([wanted] if wanted else [])
            return [stated.statement(required(found, wanted))]

        recorded = self._writer(group).state(make)
        return receipt(f"{stated.kind} {stated.relation}", wanted, recorded)

    def _pipeline(self, group_id: str, extractor: str | Extractor | None) -> Pipeline:
        """Return the way in for live turns: without the extractor's extra they wait as pending."""
        try:
            chosen = self._reader(extractor)
            run = None if chosen is None else chosen.run_id
        except (MissingExtra, ModelUnavailable) as error:
            self._warn_unread(error)
            chosen, run = None, str(extractor)
        return Pipeline(self._writer(group_id), group_id, extractor=chosen, run=run)
