"""What can be decided about what a memory holds: it stays, and so does the decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from graphmem.catalog import Catalog, Relation
from graphmem.errors import InvalidInput
from graphmem.ingest.declare import declared
from graphmem.ingest.merging import merge, reassign, unmerge
from graphmem.ingest.rulings import Decision, Reason, verdict
from graphmem.memory.core import Core
from graphmem.memory.receipts import receipt
from graphmem.model import Authority, Receipt, RulingKind
from graphmem.ports import View

USER = "user"
"""Who decides, unless told otherwise."""


class Decisions(Core):
    """Verbs about records. All are recorded: reads as of before show what was believed then.

    ``dry_run`` decides all the same, writes nothing, and answers with what would change. A
    decision that stands already gives ``unchanged``.
    """

    def retract(
        self,
        target_id: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Take an episode or an assertion out of what is concluded; it stays in history.

        ``admit`` brings it back.

        Raises:
            NotFound: There is no such episode or assertion in the group.
        """
        why = Reason(reason, by)
        return self._verdict(RulingKind.RETRACT, target_id, group_id, why, None, dry_run=dry_run)

    def quarantine(
        self,
        target_id: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Hold an episode or an assertion back for review: it takes no part until admitted.

        Raises:
            NotFound: There is no such episode or assertion in the group.
        """
        why = Reason(reason, by)
        return self._verdict(RulingKind.QUARANTINE, target_id, group_id, why, None, dry_run=dry_run)

    def admit(
        self,
        target_id: str,
        *,
        group_id: str | None = None,
        authority: Authority | str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Let what was quarantined or retracted take its place, by when it was said.

        Args:
            target_id: An episode or an assertion.
            group_id: Whose memory.
            authority: The admitter's, who stands behind it from now on; None: its own.
            reason: Why.
            by: Who admits it.
            dry_run: Decide only.

        Raises:
            NotFound: There is no such episode or assertion in the group.
            InvalidInput: No such authority.
        """
        why = Reason(reason, by)
        given = None if authority is None else _authority(authority)
        return self._verdict(RulingKind.ADMIT, target_id, group_id, why, given, dry_run=dry_run)

    def pin(
        self,
        target_id: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Hold a statement against all that is said or imported later; ``admit`` lets go of it.

        Raises:
            NotFound: There is no such episode or assertion in the group.
        """
        why = Reason(reason, by)
        return self._verdict(RulingKind.PIN, target_id, group_id, why, None, dry_run=dry_run)

    def merge(
        self,
        name: str,
        into: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Decide that two entities are one: all told of ``name``, then and later, is of ``into``.

        Cost: the statements about ``name`` and their slots, in one transaction.

        Args:
            name: A name or entity id.
            into: Likewise; its name is the one shown.
            group_id: Whose memory.
            reason: Why.
            by: Who decides.
            dry_run: Decide only.

        Raises:
            NotFound: A name that nobody bears.
            InvalidInput: They are one already, or of different kinds, or literal values.
        """
        group, why = self._group(group_id), Reason(reason, by)
        label = f"merge {name} into {into}"
        return self._decide(label, group, lambda v: merge(v, group, name, into, why), dry_run)

    def split(
        self,
        name: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Undo a merge: what was told of ``name``, before and since, is of it again.

        To part an entity that was never merged, ``reassign`` some of its statements.

        Raises:
            NotFound: A name that nobody bears.
            InvalidInput: It is not merged into another.
        """
        group, why = self._group(group_id), Reason(reason, by)
        return self._decide(f"split {name}", group, lambda v: unmerge(v, group, name, why), dry_run)

    def reassign(
        self,
        assertion_ids: Sequence[str],
        name: str,
        to: str,
        *,
        group_id: str | None = None,
        reason: str = "",
        by: str = USER,
        dry_run: bool = False,
    ) -> Receipt:
        """Decide that statements that name one entity are about another.

        Args:
            assertion_ids: Which; all or none are moved.
            name: Whom they name now, at either end: a name or entity id.
            to: Whom they are about; an unknown name makes an entity.
            group_id: Whose memory.
            reason: Why.
            by: Who decides.
            dry_run: Decide only.

        Raises:
            NotFound: An assertion that is not there, or not about ``name``.
            InvalidInput: No assertion was given, or ``to`` is no name.
        """
        if isinstance(assertion_ids, str) or not assertion_ids:
            raise InvalidInput(f"assertion_ids {assertion_ids!r}: give a list of at least one id")
        group, why, ids = self._group(group_id), Reason(reason, by), tuple(assertion_ids)
        return self._decide(
            f"reassign {len(ids)} assertions to {to}",
            group,
            lambda view: reassign(view, group, ids, name, to, why),
            dry_run,
        )

    def add_relations(
        self,
        relations: Path | Iterable[Relation],
        *,
        group_id: str | None = None,
        dry_run: bool = False,
    ) -> Receipt:
        """Add relations to the group's catalog, or redefine them; a file is TOML.

        What their statements mean now is concluded anew and recorded. Cost: all statements of the
        relations whose names or slots change.

        Raises:
            InvalidInput: A relation that breaks a rule.
        """
        if isinstance(relations, Path):
            relations = Catalog.from_path(relations).relations.values()
        new = tuple(relations)
        group = self._group(group_id)
        label = f"{len(new)} relations"
        return self._decide(label, group, lambda view: declared(view, new), dry_run)

    def relations(self, *, group_id: str | None = None) -> list[Relation]:
        """Return the group's relations by name: the packaged ones and what was added."""
        known = self._store.view(self._group(group_id)).catalog().relations
        return [known[name] for name in sorted(known)]

    def _verdict(
        self,
        kind: RulingKind,
        target_id: str,
        group_id: str | None,
        why: Reason,
        authority: Authority | None,
        *,
        dry_run: bool,
    ) -> Receipt:
        group = self._group(group_id)

        def decide(view: View) -> Decision:
            return verdict(view, group, kind, target_id, why, authority)

        return self._decide(f"{kind} {target_id}", group, decide, dry_run)

    def _decide(
        self, label: str, group: str, decide: Callable[[View], Decision], dry_run: bool
    ) -> Receipt:
        return receipt(label, None, self._writer(group, dry_run=dry_run).rule(decide))


def _authority(given: Authority | str) -> Authority:
    try:
        return Authority(given)
    except ValueError as error:
        raise InvalidInput(f"authority {given!r}: give one of {[*map(str, Authority)]}") from error
