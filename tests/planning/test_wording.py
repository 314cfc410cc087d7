"""Ways in which staff put a question: each is read as the logic beside it, over the small EHR."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from tests import small_mimic


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfflinePlanner]:
    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("small") / "mimic.sqlite")))
    schema = engine.schema()
    profile = load_profile(schema, engine.read)
    yield OfflinePlanner(schema=schema, profile=profile, now=small_mimic.NOW, read=engine.read)
    engine.close()


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # times
        ("how many patients were admitted between 2102 and 2103?",
         "count patients with admission since 2102 until 2103"),
        ("from March 2103 to June 2104, how many patients were prescribed aspirin?",
         'count patients with prescription "aspirin" since 2103-03 until 2104-06'),
        ("patients prescribed aspirin, past 6 months: how many?",
         'count patients with prescription "aspirin" since 6 months ago'),
        ("creatinine values of patient 101's last stay",
         'value of lab "creatinine" for patient 101 during last hospital stay'),
        ("how many patients were prescribed aspirin in 2103 or later?",
         'count patients with prescription "aspirin" since 2103'),
        ("how many patients died within the last two years?", "count patients with death since 2 years ago"),
        # values
        ("has patient 101's creatinine ever been above 1.3?",
         'any lab "creatinine" where value > 1.3 for patient 101'),
        ("how many patients had a creatinine of 4 or more?", 'count patients with lab "creatinine" where value >= 4'),
        ("how many patients had a creatinine of at least 4?", 'count patients with lab "creatinine" where value >= 4'),
        # orders of events
        ("how many patients were given aspirin before furosemide?",
         'count patients with prescription "aspirin" ever before (prescription "furosemide")'),
        ("before their first hemodialysis, how many patients were given furosemide?",
         'count patients with prescription "furosemide" ever before first (procedure "hemodialysis")'),
        ("did patient 101 get aspirin within 3 weeks after furosemide?",
         'any prescription "aspirin" for patient 101 within 3 weeks after (prescription "furosemide")'),
        ("how many patients were readmitted within 30 days after discharge?",
         "count patients with admission within 30 days after (discharge)"),
        ("of the patients given furosemide, how many also received aspirin in the same hospital visit?",
         'count patients with prescription "furosemide" same hospital stay as (prescription "aspirin")'),
        ("patients with chf nos who also had hemodialysis afterwards in the same hospital stay: how many?",
         'count patients with procedure "hemodialysis" same hospital stay after (diagnosis "chf nos")'),
        ("how many patients with chf nos got aspirin within 2 months?",
         'count patients with prescription "aspirin" within 2 months after (diagnosis "chf nos")'),
        ("which patients were on both aspirin and furosemide in 2104?",
         'patients with (prescription "aspirin" in 2104) with (prescription "furosemide" in 2104)'),
        ("who had the highest creatinine in 2104?", 'patients with lab "creatinine" where value is maximum in 2104'),
        ("number of transfers of patient 101", "count transfer for patient 101"),
        ("who is currently in the micu?", 'patients with transfer "micu" where end time is missing'),
        ("list patients with a creatinine above 4 this year",
         'patients with lab "creatinine" where value > 4 in this year'),
        # people by what they have
        ("how many pneumonia, organism nos patients died?",
         'count patients with (diagnosis "pneumonia, organism nos") with (death)'),
        ("average age of chf nos patients", 'mean age of admission for patients with (diagnosis "chf nos")'),
        ("how many chf nos cases were there?", 'count diagnosis "chf nos"'),
        ("list hypertensives over 50", 'patients aged 51 to any with diagnosis "hypertension nos"'),
        ("total hospital cost of chf nos patients", 'sum cost of stays with diagnosis "chf nos"'),
        ("one-year mortality of chf nos", 'mortality over 1 years after diagnosis "chf nos"'),
        ("is patient 102 still alive?", "any patient 102 without death"),
        # who
        ("how many patients had both chf nos and hypertension nos?",
         'count patients with (diagnosis "chf nos") with (diagnosis "hypertension nos")'),
        ("how many patients were prescribed either aspirin or furosemide?",
         'count patients with prescription "aspirin" or "furosemide"'),
        ("how many patients were never prescribed aspirin and furosemide?",
         'count patients without prescription "aspirin" or "furosemide"'),
        ("how many patients aged 50-59 had chf nos?", 'count patients aged 50 to 59 with diagnosis "chf nos"'),
        ("how many patients haven't been prescribed aspirin?",
         'count patients without prescription "aspirin"'),
        ("list 57 year old women", "patients of sex female aged 57 to 57"),
        ("how many patients are in the icu right now?", "count patients with icu stay during current icu stay"),
        ("did anybody with chf nos get aspirin?",
         'any patients with (diagnosis "chf nos") with (prescription "aspirin")'),
        ("list everyone with chf nos over 70", 'patients aged 71 to any with diagnosis "chf nos"'),
        ("how many folks had hemodialysis in 2104?", 'count patients with procedure "hemodialysis" in 2104'),
        ("which patients are currently in the micu?", 'patients with transfer "micu" where end time is missing'),
        ("how many women were admitted to the micu in 2104?",
         'count patients of sex female with transfer "micu" in 2104'),
        ("was a sputum culture taken from patient 103?", 'any culture "sputum" for patient 103'),
        # what
        ("what was given orally to patient 101 in 2104?",
         'name of prescription where route = "po" for patient 101 in 2104'),
        ("which care unit is patient 103 in now?", "name of transfer where end time is missing for patient 103"),
        ("number of sputum cultures per month in 2105", 'count per month culture "sputum" in 2105'),
        ("patient 102's fluid balance on 03/05/2104",
         "(sum value of input for patient 102 in 2104-03-05) - (sum value of output for patient 102 in 2104-03-05)"),
        ("mean creatinine of patient 101 during their hospital stay", 'mean value of lab "creatinine" for patient 101'),
        ("what is patient 103 on?",
         "name of prescription where end time is open for patient 103 during current hospital stay"),
        ("when was patient 101 discharged from the icu?", "end time of icu stay for patient 101"),
        ("heart rate of patient 101, last measured when?", 'last time of vital "heart rate" for patient 101'),
        ("how many hours ago was patient 101 last given aspirin?",
         'hours since (last time of prescription "aspirin" for patient 101)'),
        ("compare the first and the last creatinine of patient 101",
         '(last value of lab "creatinine" for patient 101) - (first value of lab "creatinine" for patient 101)'),
        ("output minus intake of patient 101",
         "(sum value of output for patient 101) - (sum value of input for patient 101)"),
        ("what was the heart rate of patient 101 when last charted?",
         'last value of vital "heart rate" for patient 101'),
        ("how much furosemide was patient 101 prescribed the first time?",
         'first dose of prescription "furosemide" for patient 101'),
        ("change in creatinine of patient 101 from the first to the last value",
         '(last value of lab "creatinine" for patient 101) - (first value of lab "creatinine" for patient 101)'),
        ("mean creatinine over all patients with chf nos",
         'mean value of lab "creatinine" for patients with (diagnosis "chf nos")'),
        ("LOS of patient 101's last hospital stay", "length of admission for patient 101 during last hospital stay"),
        ("longest hospital stay of patient 101, in days", "maximum length of admission for patient 101"),
        ("how long has patient 103 been in hospital?",
         "days since (time of admission for patient 103 during current hospital stay)"),
        ("hours since patient 101 last got aspirin",
         'hours since (last time of prescription "aspirin" for patient 101)'),
        ("which drugs did patient 101 get this year but not last year?",
         "(name of prescription for patient 101 in this year) except "
         "(name of prescription for patient 101 in last year)"),
        ("where did patient 101 go after the first discharge?",
         "first discharge location of admission for patient 101"),
        ("from where was patient 101 admitted during the first hospital visit?",
         "admission location of admission for patient 101 during first hospital stay"),
        ("which three drugs were prescribed most often?", "top 3 prescription"),
        ("which 5 drugs do we prescribe the most?", "top 5 prescription"),
        ("what is the average length of stay in the ICU?", "mean length of icu stay"),
        ("commonest diagnosis in 2104", "top 1 diagnosis in 2104"),
        ("what is meant by chf nos?", 'meaning of "chf nos"'),
    ],
)  # fmt: skip
def test_a_wording_has_its_logic(planner: OfflinePlanner, question: str, logic: str) -> None:
    assert planner.propose(question, []).logic == logic
