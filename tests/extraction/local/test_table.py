"""What sentences of a team chat say; the table shows the behaviour at a glance."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Read = Callable[..., list[str]]

# said by Kai on Wednesday, 15 May 2024
TABLE: dict[str, list[str]] = {
    "Morning all! Quick update: Priya is taking over the search service from Monday.": [
        "Priya | took over | search service [2024-05-20..]"
    ],
    "ok so Tomas approved the schema change this morning": [
        "Tomas | approved | schema change [2024-05-15..]"
    ],
    "Decision: we decided to go with Postgres for the event store.": [
        "Kai | decided | go with Postgres for the event store"
    ],
    "The deadline for the Helios launch is 14 June.": ["Helios launch | has deadline | 2024-06-14"],
    "We moved the Helios deadline to Friday.": ["Helios | has deadline | 2024-05-17"],
    "Deadline for Helios: 5 May 2025": ["Helios | has deadline | 2025-05-05"],
    "Heads up, Ingrid no longer leads the platform team, Rahul does.": [
        "ends: Ingrid | leads | platform team"
    ],
    "I've moved to the Berlin office last month btw": [
        "Kai | moved to | Berlin office [2024-04..]"
    ],
    "Rahul reports to Ingrid now.": ["Ingrid | manages | Rahul"],
    "My manager is Ingrid, and she reports to Omar.": [
        "Ingrid | manages | Kai",
        "Omar | manages | Ingrid",
    ],
    "Ingrid left Nordwind in March and joined Brightwave in April.": [
        "Ingrid | left | Nordwind [2024-03..]",
        "Ingrid | joined | Brightwave [2024-04..]",
    ],
    "We're switching from RabbitMQ to Kafka next week.": [
        "Kai | migrated from | RabbitMQ [2024-05-20..]",
        "Kai | migrated to | Kafka [2024-05-20..]",
    ],
    "We replaced Jenkins with GitHub Actions.": [
        "GitHub Actions | replaced | Jenkins",
        "Kai | migrated from | Jenkins",
        "Kai | migrated to | GitHub Actions",
    ],
    "We don't use Jenkins anymore.": ["ends: Kai | uses | Jenkins"],
    "I prefer tabs over spaces.": ["Kai | prefers | tabs"],
    "Yuki is our new data engineer.": ["Yuki | has job title | data engineer"],
    "Ann is a data engineer at Acme.": [
        "Ann | has job title | data engineer",
        "Ann | works at | Acme",
    ],
    "Karim works at Brightwave as a product designer.": [
        "Karim | works at | Brightwave",
        "Karim | has job title | product designer",
    ],
    "Marta signed the contract with Brightwave on 2024-05-02.": [
        "Marta | signed | contract [2024-05-02..]"
    ],
    "The rollout was approved by Lena and Tom yesterday.": [
        "Lena | approved | rollout [2024-05-14..]",
        "Tom | approved | rollout [2024-05-14..]",
    ],
    "Mina, the lead of Atlas, signed off on the rollout.": [
        "Mina | leads | Atlas",
        "Mina | approved | rollout",
    ],
    "My manager Ben approved the budget.": ["Ben | manages | Kai", "Ben | approved | budget"],
    "Ben replaced Ann as lead of Atlas on Monday.": [
        "Ben | leads | Atlas [2024-05-13..]",
        "ends: Ann | leads | Atlas [..2024-05-13]",
        "Ben | replaced | Ann [2024-05-13..]",
    ],
    "Ann stepped down as lead of Atlas.": ["ends: Ann | leads | Atlas"],
    "Sara, who leads Atlas, joined Beta in March.": [
        "Sara | leads | Atlas",
        "Sara | joined | Beta [2024-03..]",
    ],
    "Ann and Tom, who manages Ben, joined Acme.": [
        "Tom | manages | Ben",
        "Ann | joined | Acme",
        "Tom | joined | Acme",
    ],
    "Lena told us that Tom leaves Acme on Friday.": ["Tom | left | Acme [2024-05-17..]"],
    "Since January, Rahul has been the lead of Helios.": ["Rahul | leads | Helios [2024-01..]"],
    "Until June Ingrid leads Helios.": ["Ingrid | leads | Helios [..2024-06]"],
    "The billing service depends on Redis and Kafka.": [
        "billing service | depends on | Redis",
        "billing service | depends on | Kafka",
    ],
    "Helios is blocked by the security review.": ["security review | blocks | Helios"],
    "The status of Helios is at risk.": ["Helios | has status | at risk"],
    "The Helios budget is 120000.": ["Helios | has budget | 120000"],
    "My email is kai@example.com": ["Kai | has email | kai@example.com"],
    "Nina founded Brightwave in 2015.": ["Nina | founded | Brightwave [2015..]"],
    "Nina rejected the proposal yesterday because it was too expensive.": [
        "Nina | rejected | proposal [2024-05-14..]"
    ],
    "Sofia is allergic to shellfish.": ["Sofia | allergic to | shellfish"],
    "I can't stand mushrooms.": ["Kai | hates | mushrooms"],
    "Anna-Lena Müller lives in São Paulo.": ["Anna-Lena Müller | lives in | São Paulo"],
    "@Ann leads the **Atlas** project": ["Ann | leads | Atlas"],
    "Correction: Ben leads Atlas, not Ann.": ["Ben | leads | Atlas"],
    "I work at Acme and Ann leads Atlas.": ["Kai | works at | Acme", "Ann | leads | Atlas"],
    "Yesterday Ann joined Acme and Ben left Beta.": [
        "Ann | joined | Acme [2024-05-14..]",
        "Ben | left | Beta [2024-05-14..]",
    ],
    "T-42 was assigned to Ben on Monday.": ["T-42 | assigned to | Ben [2024-05-13..]"],
    "Atlas, led by Ann, uses Kafka.": ["Ann | leads | Atlas", "Atlas | uses | Kafka"],
    "The launch has been postponed to 10 June.": ["launch | scheduled for | 2024-06-10"],
    "We agreed to ship on Friday.": ["Kai | decided | ship on Friday"],
    "Lena is in charge of Atlas.": ["Lena | leads | Atlas"],
    "Rahul (lead of Helios) approved the plan.": [
        "Rahul | leads | Helios",
        "Rahul | approved | plan",
    ],
    "Postgres 16 replaces Postgres 15.": ["Postgres 16 | replaced | Postgres 15"],
    "My son's name is Bo.": [],
    "I'm out next week.": [],
    "@Tomas can you approve the PR?": [],
    "sounds good, thanks!": [],
    "Could someone review the PR?": [],
}


@pytest.mark.parametrize("sentence", TABLE)
def test_a_sentence_says(read: Read, sentence: str) -> None:
    assert read(sentence) == TABLE[sentence]
