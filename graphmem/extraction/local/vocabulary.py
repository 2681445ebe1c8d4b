"""English words that steer the reading of a sentence."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE: Final = _words("is are was were be been being am")
ARTICLES: Final = _words("a an the")
PREPOSITIONS: Final = _words(
    "of for to at in on with by from as about into onto over under against towards"
)

FIRST_PERSON: Final = _words("i me my mine myself we us our ours ourselves")
THIRD_PERSON: Final = _words("he him his himself she her hers herself")
"""Not "they": it mostly stands for several, or for things."""
COUNTED: Final = _words("no any every each some another which what neither either many few several")
INDEFINITE: Final = _words(
    "nobody noone none somebody someone anybody anyone everybody everyone something anything"
    " everything nothing whoever whatever it they you this that these those there here what which"
    " who"
)
VAGUE: Final = _words(
    "all answer anything bit both case chance day everything guy guys idea issue job kind lot more"
    " most much nothing one ones option others part people person place point problem question"
    " rest same side something sort stuff team that thing things this time today tomorrow trouble"
    " way week work year yesterday ton bunch couple few lots"
)
"""Nouns that name nothing when they stand alone."""
GENERIC: Final = _words("project team company program programme initiative squad")
"""Nouns that add nothing beside a proper name: "the Atlas project"."""

MODAL: Final = _words("would could might may should must can shall ought ca 'd")
FACTIVE: Final = _words("know confirm note remember realize realise see notice mean")
REPORTING: Final = _words("say tell announce report mention state add explain inform")
THINKING: Final = (
    FACTIVE
    | REPORTING
    | _words(
        "think believe guess suppose hope wish doubt hear assume feel imagine expect reckon bet"
        " suspect wonder ask fear swear seem appear sound joke kid"
    )
)
"""Verbs that take what was said before them as their object: "Ann leads Atlas, I think"."""
STOPPING: Final = _words("stop quit cease discontinue")
STARTING: Final = _words("start begin")
GOING_ON: Final = _words("continue keep remain")
NOT_QUITE: Final = _words("hardly barely rarely seldom almost nearly")
FORMERLY: Final = _words("formerly previously once originally")
FORMER: Final = _words("former ex previous past old late")
COMING: Final = _words("future next incoming potential possible likely would-be")
NOT_YET: Final = _words("if unless whether until till before once like lest")

BECOMING: Final = _words("become get")
COPULAS: Final = _words("be become remain stay")
INCHOATIVE: Final = _words(
    "become get take start begin join move adopt pick choose assume inherit switch migrate"
)
"""Verbs whose past tense tells when a state began, not that it is over."""
LEAVING_A_ROLE: Final = _words("step resign quit retire leave stop")
TAKING_A_ROLE: Final = _words(
    "start join take replace appoint name elect hire return begin promote succeed"
)
HOLDING_A_ROLE: Final = _words("work act serve continue")
SETTING: Final = _words(
    "move change shift slip push postpone extend set raise increase cut reduce lower drop delay"
    " reschedule bump update"
)
"""Verbs that give a property a new value: "moved the deadline to Friday"."""
SWITCHING: Final = _words("switch migrate move change convert")
NEEDING: Final = _words("need require")
LIGHT: Final = _words(
    "be have do get go come see think know want need make give send thank ping look talk call hear"
    " show help ask tell say let put keep try find feel mean seem appear happen add mention message"
    " email remind share follow check wait speak chat discuss agree guess hope love"
)
"""Verbs too light or too common to make a relation that nobody declared."""
OCCUPATION_ENDINGS: Final = (
    "engineer", "developer", "designer", "manager", "director", "analyst", "scientist", "nurse",
    "doctor", "teacher", "lawyer", "architect", "consultant", "accountant", "officer", "writer",
    "researcher", "professor", "programmer", "intern", "assistant", "chef", "editor", "recruiter",
    "administrator", "specialist", "coordinator", "ceo", "cto", "cfo", "coo", "cio", "vp",
)  # fmt: skip
PLACES: Final = frozenset({"GPE", "LOC", "FAC"})
MEASURES: Final = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"})
