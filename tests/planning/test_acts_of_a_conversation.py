"""What people do with an answer, each in many wordings: all wordings of one act are read alike, and shown."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found

DRUG = 'count of (patients with prescription "furosemide")'
DRUG_LIST = 'patients with prescription "furosemide"'
OTHER = 'count of (patients with prescription "aspirin")'
OTHER_LIST = 'patients with prescription "aspirin"'
FAILING = 'patients with diagnosis "chf nos"'
URGENT = 'count of (hospital stays where admission type = "emergency")'
YEAR = "count of (hospital stays in 2104)"
HIGHEST = 'maximum value of lab "creatinine"'
WOMEN = 'count of (patients where gender = "female" with prescription "furosemide")'
BOTH = 'patients with prescription "furosemide" with prescription "aspirin"'

ACTS: dict[str, tuple[list[str], str, list[str]]] = {
    "the stays of counted patients": (
        [DRUG],
        'count of (hospital stays with prescription "furosemide")',
        ["how many stays is it?", "how many stays are those?", "how many stays are these?", "and in stays?",
         "how many admissions was that?", "how many admissions?", "in how many admissions?", "as admissions?"],
    ),
    "the patients of counted stays": (
        [URGENT],
        'count of (patients with (hospital stays where admission type = "emergency"))',
        ["how many patients is that?", "how many patients are those?", "how many different patients?", "patients?",
         "how many people is it?", "and in patients?", "how many patients are they?"],
    ),
    "the patients of counted stays, and some of them": (
        [URGENT],
        'count of (patients with (hospital stays where admission type = "emergency")), '
        'count of (patients with (hospital stays where admission type = "emergency") where gender = "female")',
        ["how many patients is that, and how many are women?", "how many patients are those, and how many women?"],
    ),
    "other people, and what is theirs": (
        [FAILING],
        'for each patient with prescription "furosemide": id, value of last lab "creatinine"',
        ["patients on furosemide and their last creatinine", "patients with furosemide and their latest creatinine",
         "all patients on furosemide with their last creatinine"],
    ),
    "a figure of the other sex": (
        ['mean age of (hospital stays for (patients where gender = "female" with prescription "furosemide"))'],
        'mean age of (hospital stays for (patients where gender = "male" with prescription "furosemide"))',
        ["and for the men?", "the men?", "and of the men", "men", "same for the men", "what about the men?"],
    ),
    "a figure of those who survived": (
        ["mean length of (hospital stays where hospital death = 1)"],
        "mean length of (hospital stays where hospital death = 0)",
        ["and of the survivors?", "and for the survivors", "survivors?"],
    ),
    "the values that they were told by": (
        ['count of (patients with (lab "creatinine" where value > 1))'],
        'patient, value of lab "creatinine" where value > 1',
        ["show me the values", "list the values", "show the actual results", "what were the values?"],
    ),
    "those of an answer, each with something": (
        [DRUG],
        'patient, value of last lab "creatinine" for (patients with prescription "furosemide")',
        ["list them with their last creatinine", "show those with the latest creatinine"],
    ),
    "patients in the place of stays": (
        [URGENT],
        'count of (patients with (hospital stays where admission type = "emergency"))',
        ["no, I meant patients", "sorry, patients not admissions", "actually patients, not stays",
         "count patients instead"],
    ),
    "how long each of them was": (
        ['hospital stays where admission type = "emergency"'],
        'id, length of hospital stays where admission type = "emergency"',
        ["how long did each stay last?", "how long was each of them?", "how long were these stays?",
         "the length of each stay in days", "how long did they last"],
    ),
    "how long they were on average": (
        [URGENT],
        'mean length of (hospital stays where admission type = "emergency")',
        ["how long did they stay on average?", "how long are they on average"],
    ),
    "the first of what each was told by": (
        [DRUG_LIST],
        'patient, time of first prescription "furosemide" for (patients with prescription "furosemide")',
        ["when was the first one for each?", "the date of the first dose for each patient",
         "when did each get the first?"],
    ),
    "the highest of the values that each was told by": (
        ['patients with (lab "creatinine" where value > 1)'],
        'patient, value of highest lab "creatinine" where value > 1',
        ["show the highest value of each", "the peak for each patient", "what was the highest for each?"],
    ),
    "when a record that was picked was": (
        ['patient, value of lowest lab "creatinine"'],
        'patient, value, time of lowest lab "creatinine"',
        ["when was that?", "when were they taken?", "when was it measured"],
    ),
    "the first of each name": (
        ["name of prescription for patient 101"],
        "minimum time of prescriptions for patient 101 by name",
        ["when was the first dose of each?", "the first date of each drug", "when was each first given?"],
    ),
    "groups parted once more": (
        ["count of hospital stays by insurance"],
        "count of hospital stays by insurance, gender",
        ["and by gender as well", "also by gender", "by gender too", "combine that with gender",
         "split further by gender"],
    ),
    "another figure of groups that were cut": (
        ["count of hospital stays by insurance having count >= 2"],
        "mean length of hospital stays by insurance having count >= 2",
        ["and how long on average?", "and the average length of stay?", "what about the mean length of stay"],
    ),
    "who died in the stay that they were told by": (
        ['count of (patients with diagnosis "chf nos")'],
        'count of (patients with (hospital stays with diagnosis "chf nos" where hospital death = 1))',
        ["how many of them died there?", "how many died there"],
    ),
    "who of those before did something": (
        [DRUG_LIST],
        'patients with prescription "furosemide" with deaths',
        ["who died?", "which ones died?"],
    ),
    "another length of time of an answer that is pointed at": (
        ["hospital stays where length > 8", "count of (patients with (hospital stays where length > 8))"],
        "count of (patients with (hospital stays where length > 12))",
        ["make that 12 days", "12 days instead", "make it 12 days"],
    ),
    "the records that are counted, by their names": (
        ["count of labs for patient 101"],
        "count of labs for patient 101 by name ordered by count descending",
        ["which ones most often?", "which ones are the most frequent?"],
    ),
    "others told by another record, in the place of the latest": (
        [DRUG_LIST, 'count patients in A1 with prescription "aspirin"'],
        'count patients in A1 with lab "creatinine"',
        ["and with creatinine?", "same for creatinine"],
    ),
    "those who have it not": (
        ['mean age of (hospital stays with diagnosis "chf nos")'],
        'mean age of (hospital stays without diagnosis "chf nos")',
        ["and without?", "and those without it?", "what about without"],
    ),
    "how far two figures are apart, in percent": (
        ["count of (hospital stays in 2103)", YEAR],
        "((count of (hospital stays in 2104)) - (count of (hospital stays in 2103)))"
        " as percent of (count of (hospital stays in 2103))",
        ["difference in percent?", "what is the change in percent", "by what percentage did it change?"],
    ),
    "the same number of another kind": (
        [URGENT],
        'count of (hospital stays where admission type = "elective")',
        ["how many elective?", "and how many elective"],
    ),
    "how many of something each has": (
        [DRUG_LIST],
        'for each patient with prescription "furosemide": id, count of hospital stays',
        ["how many admissions each?", "how many stays for each of them"],
    ),
    "who has the most of what they were told by": (
        [DRUG_LIST],
        'for each patient with prescription "furosemide": id, count of prescription "furosemide"'
        ' ordered by count of prescription "furosemide" descending first 1 with ties',
        ["who has the most?", "who got it most often?", "which patient had the most"],
    ),
    "when each name was first and last": (
        ["name of prescription for patient 101"],
        "minimum time, maximum time of prescriptions for patient 101 by name",
        ["first and last date of each", "when was the first and the last dose of each?"],
    ),
    "a time in the place of that of an answer that is pointed at": (
        ["patients with (diagnosis in 2103)", "count patients in A1 with death"],
        "count of (patients with (diagnoses in 2104) with deaths)",
        ["now for 2104 please", "and in 2104?", "same for 2104"],
    ),
    "those who have it of those before, however they were last told of": (
        [DRUG_LIST, "mean age of admission for patients in A1"],
        'count patients in A1 with prescription "aspirin"',
        ["how many were on aspirin?", "how many got aspirin as well?"],
    ),
    "several numbers by an attribute": (
        ["mean length of hospital stays, median length of hospital stays"],
        "mean length, median length of hospital stays by insurance",
        ["by insurance", "and by insurance?", "per insurance"],
    ),
    "the type of the stays": (
        ["mean length of hospital stays"],
        "mean length of hospital stays by admission type",
        ["by type", "and per type?"],
    ),
    "the same of those of another age": (
        ["count of (hospital stays where age > 60 where insurance = \"medicare\")"],
        "count of (hospital stays where age < 60 where insurance = \"medicare\")",
        ["and for those under 60?", "and of those under 60"],
    ),
    "a figure of all others": (
        ['mean value of lab "creatinine" for patients with diagnosis "chf nos"'],
        'mean value of lab "creatinine" for patients without diagnosis "chf nos"',
        ["and everyone else?", "and the others?", "and for all the other patients"],
    ),
    "the figure beside that of all others": (
        ['mean age of (hospital stays where admission type = "emergency")'],
        'mean age of (hospital stays where admission type = "emergency"),'
        ' mean age of (hospital stays where not (admission type = "emergency"))',
        ["compare that with everyone else", "versus the rest?", "compared to all other stays"],
    ),
    "the stays in which people died": (
        ['mean length of (hospital stays where admission type = "emergency")'],
        'mean length of (hospital stays where admission type = "emergency" where hospital death = 1)',
        ["and for those who died?", "only those who died"],
    ),
    "a number over the totals of patients": (
        ["sum value of cost by patient"],
        "mean over (sum value of costs by patient)",
        ["what's the average?", "and the mean", "average?"],
    ),
    "what grew": (
        ['count of (culture "urine")'],
        'count of (culture "urine" where organism is present)',
        ["how many were positive?", "and how many were positive"],
    ),
    "the worst of the groups": (
        ["percent (hospital death = 1) of hospital stays by insurance"],
        "percent (hospital death = 1) of hospital stays by insurance"
        " ordered by percent (hospital death = 1) descending first 1 with ties",
        ["which insurance is the worst?", "which one is worst", "the worst?"],
    ),
    "the other end of all": (
        ["id, length of highest (length) hospital stay per all"],
        "id, length of lowest (length) hospital stay per all",
        ["and the shortest?", "the shortest"],
    ),
    "the stays, each with what was recorded in it": (
        ['hospital stays where admission type = "emergency"'],
        'hospital stay, name of diagnosis during (hospital stays where admission type = "emergency")',
        ["with diagnoses", "list them with their diagnoses"],
    ),
    "the year that was spoken of": (
        ['patients with (prescription "furosemide" in 2104)'],
        'patients in A1 with (prescription "aspirin" in 2104)',
        ["which of them got aspirin that year?", "which of them got aspirin in that same year?"],
    ),
    "whose the other end is": (
        ['patient of highest lab "creatinine" where value is present per all'],
        'patient of lowest lab "creatinine" where value is present per all',
        ["who had the lowest?", "and who had the lowest", "whose was the lowest?"],
    ),
    "how long the stay was": (
        ['name of prescription for patient 1 during first hospital stay'],
        'length of first hospital stay for patient 1',
        ["how long was that stay?", "how long did it last?", "how long was it, in days?"],
    ),
    "the stay before": (
        ['name of prescription for patient 1 during second hospital stay'],
        'name of prescription for patient 1 during first hospital stay',
        ["what about the one before?", "and the previous stay?", "the stay before that?", "and in the one before"],
    ),
    "the same of another value of an attribute": (
        ['percent (admission type = "emergency") of hospital stays'],
        'percent (admission type = "elective") of hospital stays',
        ["and the elective ones?", "and elective", "elective?", "what about the elective ones?"],
    ),
    "a number of the same of whom another was asked": (
        [DRUG_LIST],
        'count of (patients with prescription "furosemide" with prescription "aspirin")',
        ["how many with aspirin?", "how many got aspirin?", "and how many with aspirin"],
    ),
    "how many there are of each that is listed": (
        ["count of prescriptions by name ordered by count descending first 3 showing keys"],
        "count of prescriptions by name ordered by count descending first 3",
        ["with counts please", "with numbers", "add the counts", "and how many of each?"],
    ),
    "the number of a list": (
        [DRUG_LIST],
        DRUG,
        ["how many?", "how many is that?", "how many are there?", "count them", "how many patients is that?",
         "how many of them are there?", "and how many in total?", "how many in all?"],
    ),
    "another year": (
        ["count of (hospital stays in 2103)"],
        YEAR,
        ["and 2104?", "in 2104?", "what about 2104?", "same for 2104", "make it 2104", "2104 instead", "no, 2104",
         "how about 2104?", "I meant 2104"],
    ),
    "some of them by their sex": (
        [DRUG],
        WOMEN,
        ["only the women", "just women", "women only", "of those, how many are women?", "restrict to women",
         "how many of them are female?", "the female ones", "narrow that to females", "how many women among them?"],
    ),
    "some of them by their age": (
        [DRUG_LIST],
        'patients with prescription "furosemide" with (hospital stays where age > 55)',
        ["only those over 55", "over 55 only", "the over 55s", "over 55s only", "just the ones over 55",
         "older than 55", "which of them are above 55?"],
    ),
    "some of them by the records that were named": (
        [DRUG],
        'count of (patients with (prescription "furosemide" where route = "iv"))',
        ["just the iv ones", "iv only", "only iv", "and iv only?", "restrict to iv", "only the intravenous ones"],
    ),
    "those with something else": (
        [FAILING],
        'patients with diagnosis "chf nos" with prescription "aspirin"',
        ["which of them got aspirin?", "only those on aspirin", "just the ones with aspirin", "the ones given aspirin",
         "those who also got aspirin", "keep those with aspirin"],
    ),
    "a share of them": (
        [DRUG],
        'percent (with deaths) of (patients with prescription "furosemide")',
        ["what share of them died?", "what percentage of those died?", "mortality?", "death rate?",
         "and the share that died?"],
    ),
    "whose the highest was": (
        [HIGHEST],
        'patient of highest lab "creatinine" per all',
        ["who was that?", "whose was it?", "which patient was that?", "whose?", "who had it?", "in which patient?",
         "which patient?", "who had that?"],
    ),
    "when the highest was": (
        [HIGHEST],
        'time of highest lab "creatinine" per all',
        ["when was that?", "when?", "on what date?", "when was it measured?", "at what time?", "what day was that?"],
    ),
    "those in two answers": (
        [DRUG_LIST, OTHER_LIST],
        BOTH,
        ["who had both?", "which patients got both?", "who is in both?", "both?", "the overlap?",
         "which ones are in both lists?"],
    ),
    "those in either of two answers": (
        [DRUG, OTHER],
        'count of (patients with prescription "furosemide" or "aspirin")',
        ["how many had either?", "how many got one or the other?", "either?", "how many had at least one?"],
    ),
    "an attribute set free": (
        [WOMEN],
        DRUG,
        ["regardless of gender?", "of any sex?", "both sexes?", "any gender?", "for both sexes",
         "ignore the gender", "forget about the gender", "drop the gender filter", "lift the gender limit"],
    ),
    "another limit": (
        ['count of (patients with (lab "creatinine" where value > 1))'],
        'count of (patients with (lab "creatinine" where value > 2))',
        ["above 2?", "make it 2", "over 2 instead", "no, above 2", "change it to 2", "what about above 2?"],
    ),
    "the length of the stays themselves": (
        [YEAR],
        "mean length of hospital stays in 2104",
        ["average length of stay?", "how long were they on average?", "and their average length?", "mean length?"],
    ),
    "records told by another value": (
        ['count of (patients with (cultures where organism = "escherichia coli"))'],
        'count of (patients with (cultures where organism = "streptococcus pneumoniae"))',
        ["and streptococcus pneumoniae?", "same for streptococcus pneumoniae", "what about streptococcus pneumoniae?"],
    ),
    "those who are described again": (
        [DRUG, BOTH, 'count of (patients where gender = "female")'],
        'count of (patients with prescription "furosemide" where gender = "female")',
        ["how many women are in the furosemide group?", "how many of the furosemide patients are women?",
         "back to the furosemide group: how many of them are women?", "how many of those furosemide pts are women?"],
    ),
    "the rest": (
        [DRUG, BOTH],
        'count of (patients with prescription "furosemide" without prescription "aspirin")',
        ["how many are the others?", "and how many are in the rest?", "how many of the rest are there?"],
    ),
    "those who never got it": (
        [f"count of ({FAILING})", f'count of ({FAILING} with prescription "aspirin")'],
        'count of (patients with diagnosis "chf nos" without prescription "aspirin")',
        ["how many of them never got it?", "and how many of them were not on that drug?",
         "how many of them had no aspirin?"],
    ),
    "the share of a group that is pointed at": (
        [DRUG],
        'percent (gender = "female") of (patients with prescription "furosemide")',
        ["what % of that group is female?", "what share of that group are women?"],
    ),
    "the same share of others": (
        [DRUG, 'percent (gender = "female") of (patients with prescription "furosemide")'],
        'percent (gender = "female") of (patients without prescription "furosemide")',
        ["and among the patients who never got it?", "and of the patients without it?"],
    ),
    "the dead of an answer": (
        ["count of (hospital stays where hospital death = 1)"],
        "count of hospital stays where hospital death = 1 by admission type",
        ["split the deaths by admission type", "the deaths by type of admission"],
    ),
    "another year of an answer that is pointed at": (
        ['patients with (prescription "aspirin" in 2103)', 'percent (gender = "female") of (patients in A1)'],
        'percent (gender = "female") of (patients with (prescription "aspirin" in 2104))',
        ["same percentage for 2104?", "same percentage in 2104?"],
    ),
    "the other end of an order": (
        ["count of hospital stays by insurance ordered by count descending first 1 showing keys"],
        "count of hospital stays by insurance ordered by count first 1 showing keys",
        ["and the smallest?", "lowest?", "the lowest instead"],
    ),
    "the first of a table": (
        ["count of hospital stays by insurance"],
        "count of hospital stays by insurance ordered by count descending first 2",
        ["top 2", "the top 2 of them", "only the top 2", "just the two biggest", "the 2 largest"],
    ),
    "the last of a table": (
        ["count of hospital stays by insurance ordered by count descending first 2"],
        "count of hospital stays by insurance ordered by count first 2",
        ["the other way round, lowest 2", "now the bottom 2", "the lowest 2", "the smallest two"],
    ),
    "the groups of a table above a number": (
        ["count of hospital stays by insurance"],
        "count of hospital stays by insurance having count >= 2",
        ["leave out groups with fewer than 2", "drop those with fewer than 2", "keep those with at least 2",
         "without groups under 2", "only where there are at least 2 stays"],
    ),
    "more of what was listed": (
        ["hospital stays where length > 5"],
        "id, time, end time of hospital stays where length > 5",
        ["show in and out times", "with start and end", "add admission and discharge times",
         "when did they start and end?", "include in and out times"],
    ),
    "the longest of what was listed": (
        ["hospital stays where admission type = \"emergency\""],
        'id, length of hospital stays where admission type = "emergency" ordered by length descending first 1',
        ["the longest one, in days?", "which one was the longest?", "the longest", "and the longest stay?"],
    ),
    "the other kind of stays": (
        ["icu stays where length > 2"],
        "hospital stays where length > 2",
        ["no, I meant hospital stays", "sorry, hospital stays", "admissions instead", "hospital stays, not ICU stays"],
    ),
    "another length in another unit": (
        ["hospital stays where length > 5"],
        "hospital stays where length > 7",
        ["make it a week", "one week instead", "make it 168 hours", "make it 7 days"],
    ),
    "the difference of two answers": (
        [DRUG, OTHER],
        f"({DRUG}) - ({OTHER})",
        ["difference?", "what is the difference?", "the difference between these two?", "by how much do they differ?"],
    ),
    "how much more it is": (
        [DRUG, OTHER],
        f"({OTHER}) - ({DRUG})",
        ["how many more is that?", "how many more than before?", "so how many more?"],
    ),
    "how much more it is than in another year": (
        [YEAR],
        f"({YEAR}) - (count of (hospital stays in 2103))",
        ["how many more is that than in 2103?", "how many more than in 2103?",
         "how many more are there in 2104 than in 2103?", "difference to 2103?"],
    ),
    "one list without another": (
        [DRUG_LIST, OTHER_LIST],
        'patients with prescription "furosemide" without prescription "aspirin"',
        ["in the first but not in the second", "which of the first list are not in the second?"],
    ),
    "those who have not what was demanded": (
        ['mean age of (hospital stays with prescription "furosemide")'],
        'mean age of (hospital stays without prescription "furosemide")',
        ["what about those without furosemide?", "and those without furosemide?",
         "how about those without furosemide?"],
    ),
    "both beside each other": (
        ['mean age of (hospital stays with prescription "furosemide")'],
        'mean age of (hospital stays with prescription "furosemide"), '
        'mean age of (hospital stays without prescription "furosemide")',
        ["compare with those without furosemide", "compare that with the ones without furosemide",
         "compared with those without furosemide?"],
    ),
    "the women of an answer": (
        [DRUG_LIST],
        'count of (patients where gender = "female" with prescription "furosemide" with deaths)',
        ["how many of the women died?", "of the women, how many died?", "how many among the women died?"],
    ),
    "some of those of an answer": (
        [DRUG],
        'count of (patients with prescription "furosemide" with deaths)',
        ["how many of the ones died?", "how many of them died?"],
    ),
    "the patients behind a table": (
        ["count of hospital stays in 2104 by insurance"],
        "count of (patients with (hospital stays in 2104))",
        ["how many patients is that?", "how many patients are those?"],
    ),
    "the group with the most": (
        ["count of hospital stays in 2104"],
        "count of hospital stays in 2104 by insurance ordered by count descending first 1 with ties showing keys",
        ["which insurance had the most?", "which insurance has the most?"],
    ),
    "those with an ICU stay": (
        ["count of patients by gender"],
        "count of patients with icu stays by gender",
        ["only the ICU ones", "just the ICU patients", "only those who had an ICU stay"],
    ),
    "the stays by which patients were told": (
        ['patients with (hospital stays where admission type = "emergency")'],
        'count of (hospital stays where admission type = "emergency" where hospital death = 1)',
        ["how many of those admissions ended in death?", "how many of these stays ended in death?"],
    ),
    "the rows behind a figure": (
        ['mean length of (hospital stays where admission type = "emergency")'],
        'hospital stays where admission type = "emergency"',
        ["list them", "show those", "list these"],
    ),
    "a group of a table": (
        ["count of hospital stays by admission type"],
        'count of hospital stays where admission type = "emergency" by admission type',
        ["emergency only", "just emergency", "only the emergency ones"],
    ),
    "those who are left out": (
        [DRUG_LIST],
        'patients with prescription "furosemide" where not (with (hospital stays where age > 55))',
        ["exclude those over 55", "leave out anyone older than 55", "now drop everybody above 55"],
    ),
    "some who did not": (
        [DRUG_LIST, BOTH],
        'patients with prescription "furosemide" without prescription "aspirin"',
        ["who didn't?", "which ones did not?", "and those who didn't?"],
    ),
    "another limit of a length": (
        ["count of (icu stays where (weeks from time to end time) > 1)"],
        "count of (icu stays where (days from time to end time) < 2)",
        ["and less than 2 days?", "what about under 2 days?", "shorter than 2 days?"],
    ),
    "a figure of some and of others": (
        [DRUG_LIST],
        'percent (with deaths) of (patients with prescription "furosemide"), '
        'percent (with deaths) of (patients with prescription "aspirin")',
        ["compare their mortality with that of patients on aspirin", "compare their mortality to those on aspirin",
         "compare the mortality of these with patients given aspirin"],
    ),
    "other records than those of before": (
        ['patients with diagnosis "chf nos"'],
        'patient, name of diagnoses for (patients with diagnosis "chf nos") where not (name = "chf nos")',
        ["which other diagnoses do they have?", "what other diagnoses do they have?"],
    ),
    "the second place": (
        ["top 1 diagnosis"],
        "(top 2 diagnosis) except (top 1 diagnosis)",
        ["and the second?", "what about the second most common one?", "the second one?"],
    ),
    "the patients with a name of a list": (
        ["top 1 diagnosis"],
        "count of (patients with (diagnoses in diagnosis of A1))",
        ["how many patients had it?", "how many patients have that one?", "how many patients had that diagnosis?"],
    ),
    "what was given": (
        [DRUG_LIST],
        'route of prescription "furosemide"',
        ["which routes were used?", "what routes did they get it by?"],
    ),
    "stays of those with a name of a list": (
        ["top 3 diagnosis", "count of (patients with (diagnoses where name = (the (row 2 of A1))))"],
        "mean length of (hospital stays with (diagnoses where name = (the (row 2 of A1))) "
        "for (patients with (diagnoses where name = (the (row 2 of A1)))))",
        ["their average length of stay?"],
    ),
    "one of the stays of a patient": (
        ["hospital stays for patient 101"],
        "distinct name of prescriptions during (last hospital stay for patient 101)",
        ["drugs during the last one", "which drugs were given in the last one?", "prescriptions of the latest one"],
    ),
    "others than a patient": (
        ['any prescription "furosemide" for patient 101'],
        'count of (patients with (prescription "furosemide") where not (id in (101)))',
        ["how many other patients were on furosemide?", "who else got furosemide? just the count",
         "other patients on furosemide, how many?"],
    ),
    "the group with most of another figure": (
        ["count of hospital stays by insurance"],
        "mean length of hospital stays by insurance ordered by mean length descending first 1 with ties",
        ["which one has the longest average stay?", "and which has the longest mean stay",
         "what insurance has the longest mean stay?"],
    ),
    "another figure of the groups too": (
        ["count of hospital stays by insurance"],
        "percent (hospital death = 1) of hospital stays by insurance",
        ["in-hospital mortality too", "mortality as well", "and the in-hospital mortality of each"],
    ),
    "back to those of before": (
        [FAILING, 'count of (patients in A1 where gender = "female")'],
        'count of (patients in A1 with prescription "furosemide")',
        ["back to the chf patients: how many were on furosemide?",
         "going back to the chf nos patients, how many got furosemide?",
         "as for the chf patients: how many were given furosemide?"],
    ),
    "the year that was told longer ago": (
        ['patients with (prescription "furosemide" in 2104)', 'count of (patients in A1 where gender = "female")'],
        'count of (patients with (prescription "furosemide" in 2105) where gender = "female")',
        ["and in 2105?", "same for 2105", "what about 2105?"],
    ),
    "a share of those before": (
        [FAILING],
        'percent (gender = "female") of (patients with diagnosis "chf nos")',
        ["female %", "% female", "what percentage are women?", "and what share were women?"],
    ),
    "records ranked, of those before": (
        [FAILING],
        "top 3 prescription for patients in A1",
        ["drugs, top 3", "which drugs, top 3", "top 3 drugs"],
    ),
    "who had more besides": (
        [FAILING],
        'patients in A1 with (lab "creatinine" where value > 1)',
        ["who had a creatinine over 1 as well?", "who had a creatinine above 1 too?"],
    ),
    "the other side of an age": (
        ["mean length of (hospital stays where age > 70)"],
        "mean length of (hospital stays where age < 70)",
        ["under 70?", "and under 70", "and for those under 70?"],
    ),
    "a figure of counted stays": (
        [URGENT],
        'mean length of (hospital stays where admission type = "emergency")',
        ["what was the mean length of stay?", "what's the average LOS"],
    ),
    "who somebody is": (
        [DRUG_LIST],
        "list of patient 101",
        ["tell me about patient 101", "describe patient 101", "who is patient 101?"],
    ),
    "whose number comes first in a table": (
        [DRUG_LIST, 'value of last lab "creatinine" for (patients in A1)'],
        'patient, value of last lab "creatinine" for (patients in A1) ordered by value descending first 1 with ties',
        ["who has the highest?", "which patient has the highest value?", "which of them had the highest"],
    ),
    "one more attribute of each": (
        [DRUG_LIST, 'patient, value of last lab "creatinine" for (patients in A1)'],
        'for each patient in A1: id, value of last lab "creatinine", gender',
        ["add their gender", "add the sex to the table", "also include their gender"],
    ),
    "one more number of each": (
        [DRUG_LIST, 'for each patient in A1: id, count of hospital stays'],
        'for each patient in A1: id, count of hospital stays, value of last lab "creatinine"',
        ["add their last creatinine", "include the latest creatinine too"],
    ),
    "one more number of groups": (
        ["mean length of hospital stays by insurance"],
        "mean length, count of hospital stays by insurance",
        ["add the number of stays", "also add the number of hospital stays", "include how many stays"],
    ),
    "another number over the same values of groups": (
        ["mean length of hospital stays by insurance"],
        "mean length, median length of hospital stays by insurance",
        ["add the median", "include the median as well"],
    ),
    "a number in the place of another, beside how many there are": (
        ["mean length, count of hospital stays by insurance"],
        "median length, count of hospital stays by insurance",
        ["median instead of mean", "the median instead"],
    ),
    "sorted from one end to the other": (
        ["count of hospital stays by insurance"],
        "count of hospital stays by insurance ordered by count descending",
        ["sort from most to fewest", "order them from highest to lowest", "largest to smallest"],
    ),
    "the first of a table that is sorted from one end to the other": (
        ["count of hospital stays by insurance"],
        "count of hospital stays by insurance ordered by count descending first 2",
        ["sort that from most to least and give me the top 2", "top 2, from most to fewest"],
    ),
    "records told further, of the stays with them": (
        ['count of (hospital stays with prescription "furosemide")'],
        'count of (hospital stays with (prescription "furosemide" where route = "iv"))',
        ["no, iv only", "iv only", "just the iv ones"],
    ),
    "what was in the stay of the one that was told": (
        ["maximum length of icu stays", "patient of highest (length) icu stay per all"],
        'patient, value of highest lab "creatinine" during (highest (length) icu stay per all) per all',
        ["highest creatinine in that stay", "what was the highest creatinine during that stay?"],
    ),
    "whether the one that was told had something": (
        ["maximum length of icu stays", "patient of highest (length) icu stay per all"],
        'whether (with (prescription "furosemide" for (patients in A2)))',
        ["was that patient ever on furosemide?", "did that patient get furosemide?"],
    ),
    "how old the one was that was told": (
        ["maximum length of icu stays", "patient of highest (length) icu stay per all"],
        "distinct patient, age of hospital stays for (patients with highest (length) icu stay per all)",
        ["how old were they?"],
    ),
    "the stays of the one with most": (
        ["for each patient: id, count of hospital stays ordered by count of hospital stays descending first 1"],
        "hospital stays for (patients in A1)",
        ["list those admissions", "show those stays"],
    ),
    "the share of the second of two numbers in the first": (
        ['count of (patients with diagnosis "chf nos"), count of (patients with diagnosis "chf nos" with deaths)'],
        'percent (with deaths) of (patients with diagnosis "chf nos")',
        ["what percentage is that?", "as a percentage?"],
    ),
    "the stays that patients were told by, counted": (
        ["patients with (hospital stays where length > 8)"],
        "count of (hospital stays where length > 8)",
        ["how many hospital stays is that?", "how many stays is that?", "in how many admissions?"],
    ),
    "how often the first of a ranking had it": (
        ["for each patient: id, count of hospital stays ordered by count of hospital stays descending first 1"],
        "for each patient: count of hospital stays ordered by count of hospital stays descending first 1",
        ["how many times?", "how often?"],
    ),
    "how many of one answer are not in another": (
        [DRUG_LIST, OTHER_LIST],
        "count of (patients in A1 where not (in A2))",
        ["how many of A1 are not in A2?", "how many are in A1 but not in A2?",
         "how many of the furosemide patients are not in A2?"],
    ),
    "others who are not in an answer": (
        [DRUG_LIST],
        'patients with prescription "aspirin" where not (in A1)',
        ["which patients on aspirin are not in A1?", "patients on aspirin who are not in A1"],
    ),
    "how many stays of a list were such": (
        ['hospital stays where admission type = "emergency"'],
        "count of (hospital stays in A1 with icu stays)",
        ["how many of them had an icu stay?", "how many had an icu stay?"],
    ),
    "what was in the one that came first of a table": (
        [DRUG_LIST, "patient, length of hospital stays for (patients in A1)",
         "patient, length of hospital stays for (patients in A1) ordered by length descending first 1"],
        "distinct name of diagnoses during (highest (length) hospital stay for (patients in A1) per all)",
        ["what diagnoses were made in that admission?", "which diagnoses were coded in that admission?"],
    ),
    "the lowest of what each was told by, of some of those before": (
        [DRUG_LIST, 'count of (patients in A1 with (lab "creatinine" where value < 2))'],
        'distinct patient, value of lowest lab "creatinine" where value < 2'
        ' for (patients in A1 with (lab "creatinine" where value < 2))',
        ["list them with their lowest value", "show each with the lowest value"],
    ),
}  # fmt: skip


def conversation(planner: OfflinePlanner, ehr: Path, earlier: list[str]) -> list[PastTurn]:
    """The turns that asked for the `earlier` logic, all answered."""
    turns: list[PastTurn] = []
    for number, logic in enumerate(earlier, start=1):
        asked = planner.propose_logic(logic, turns)
        assert asked.sql is not None
        with closing(sqlite3.connect(ehr)) as connection:
            columns = tuple(column[0] for column in connection.execute(flat(asked.sql, turns)).description)
        turns.append(PastTurn(number, "…", asked.logic, asked.sql, columns, 3, "answered", 0.95))
    return turns


def rows(ehr: Path, sql: str | None, turns: list[PastTurn]) -> list[tuple[Any, ...]]:
    """The rows of SQL that may name the results of earlier turns."""
    assert sql is not None
    return found(ehr, flat(sql, turns))


def flat(sql: str, turns: list[PastTurn]) -> str:
    """SQL with the queries of earlier turns in the place of their names."""
    for turn in reversed(turns):
        sql = re.sub(rf"\(?\s*\bPREV_(?:RESULT|QUERY){turn.number}\b\s*\)?", f"({turn.sql})", sql)
    return sql


def misread(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> list[tuple[str, str | None, float, str]]:
    """The wordings after `earlier` logic that are not shown with the answer that query logic has: with what they were
    read as, how surely, and why not."""
    turns = conversation(planner, ehr, earlier)
    wanted = rows(ehr, planner.propose_logic(logic, turns).sql, turns)
    found = []
    for wording in wordings:
        proposal = planner.propose(wording, turns)
        shown = not proposal.reason and proposal.confidence >= DEFAULTS.threshold
        answer = rows(ehr, proposal.sql, turns) if shown else []
        if not shown or not (same_answer(answer, wanted) or shows_answer(answer, wanted)):
            found.append((wording, proposal.logic, round(proposal.confidence, 2), proposal.reason))
    return found


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_read_alike_in_all_its_wordings(planner: OfflinePlanner, ehr: Path, act: str) -> None:
    assert not misread(planner, ehr, *ACTS[act])


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ([FAILING], "how old was the first one?"),
        ([FAILING], "what was the insurance of the second one?"),
        (["mean age of hospital stays"], "which proportion of the emergency ones left the hospital by dying?"),
        ([DRUG_LIST, OTHER_LIST, "(rows of A1) except (rows of A2)"], "how many is that, and how many in A1?"),
        ([DRUG_LIST, 'value of last lab "creatinine" for (patients in A1)'], "also include insurance"),
    ],
)
def test_a_reading_that_leaves_out_what_is_said_is_not_sure(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], question: str
) -> None:
    turns = conversation(planner, ehr, earlier)
    proposal = planner.propose(question, turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("and how many women have hypertension nos?", "hypertension nos"),
        ("and how many patients have pneumonia, organism nos?", "pneumonia"),
    ],
)
def test_a_whole_question_stands_alone_behind_its_and(
    planner: OfflinePlanner, ehr: Path, question: str, named: str
) -> None:
    turns = conversation(planner, ehr, ['mean age of hospital stays for (patients with prescription "furosemide")'])
    logic = planner.propose(question, turns).logic or ""
    assert named in logic
    assert "count" in logic
    assert "furosemide" not in logic


def test_a_value_takes_the_place_of_another_that_is_demanded_of_the_stays(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ['mean length of hospital stays where insurance = "medicare"'])
    logic = planner.propose("and government?", turns).logic or ""
    assert "government" in logic
    assert "medicare" not in logic


@pytest.mark.parametrize(
    ("said", "columns", "question"),
    [
        ("only the ones who were sedated", ("subject_id",), "what drugs did they get?"),
        ("how many of them had both?", (), "list them"),
        ("and those who stopped it?", (), "what is their mean age?"),
    ],
)
def test_what_may_be_meant_of_a_turn_that_was_not_answered_is_not_sure(
    planner: OfflinePlanner, ehr: Path, said: str, columns: tuple[str, ...], question: str
) -> None:
    turns = conversation(planner, ehr, [DRUG_LIST])
    turns.append(PastTurn(2, said, DRUG if columns else None, None, columns, 2, "abstained", 0.1))
    proposal = planner.propose(question, turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ([HIGHEST], "how many patients is that in both groups?"),
        ([DRUG_LIST], "what did they get there"),
        (['count of (patients with prescription "furosemide")'], "average age in both groups"),
        (['mean age of (hospital stays with prescription "furosemide")'], "how many are left"),
    ],
)
def test_an_answer_that_is_not_what_its_words_expect_is_not_sure(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], question: str
) -> None:
    turns = conversation(planner, ehr, earlier)
    proposal = planner.propose(question, turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic
