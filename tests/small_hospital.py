"""A hand-written database of a hospital that names nothing as others do, shortens every name, keeps what its codes mean
in one list, and tells of intensive care only as one of its wards.

Una Marsh (1, woman, born 1950, smokes) had an emergency spell (11) with two days of intensive care, and died; Ned Croft
(2, man, born 1980) had an elective spell (12) on the ward, and an emergency one (13) of which he left early.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2022-12-31 23:59:00"

_SCRIPT = """
CREATE TABLE lkp_codes (list_nm TEXT, cd TEXT, descr TEXT, PRIMARY KEY (list_nm, cd));
CREATE TABLE wards (ward_cd TEXT PRIMARY KEY, ward_nm TEXT, beds INTEGER);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, staff_nm TEXT);
CREATE TABLE pat_mast (pat_no INTEGER PRIMARY KEY, sname TEXT, fname TEXT, sex_cd TEXT, dob TEXT, smoker_yn TEXT,
    dod TEXT);
CREATE TABLE hosp_spell (spell_no INTEGER PRIMARY KEY, pat_no INTEGER REFERENCES pat_mast(pat_no), adm_dt TEXT,
    dis_dt TEXT, adm_typ_cd TEXT, dis_disp_cd TEXT, cons_id INTEGER REFERENCES staff(staff_id));
CREATE TABLE ward_trf (trf_no INTEGER PRIMARY KEY, spell_no INTEGER REFERENCES hosp_spell(spell_no),
    ward_cd TEXT REFERENCES wards(ward_cd), bed_lbl TEXT, in_dt TEXT, out_dt TEXT);
CREATE TABLE icd_list (icd_cd TEXT PRIMARY KEY, icd_txt TEXT);
CREATE TABLE spell_dx (dx_no INTEGER PRIMARY KEY, spell_no INTEGER REFERENCES hosp_spell(spell_no),
    icd_cd TEXT REFERENCES icd_list(icd_cd));
CREATE TABLE op_log (op_no INTEGER PRIMARY KEY, spell_no INTEGER REFERENCES hosp_spell(spell_no), op_nm TEXT,
    beg_dt TEXT, end_dt TEXT, anaesth_typ TEXT, surgeon_id INTEGER REFERENCES staff(staff_id));
CREATE TABLE frontdoor (visit_no INTEGER PRIMARY KEY, spell_no INTEGER REFERENCES hosp_spell(spell_no), arr_dt TEXT,
    chief_compl TEXT, hr_bpm INTEGER, sbp_mmhg INTEGER, spo2_pct INTEGER);
INSERT INTO lkp_codes VALUES ('ADM_TYP', 'EM', 'Emergency'), ('ADM_TYP', 'EL', 'Elective'),
    ('DISP', 'H', 'Own home'), ('DISP', 'X', 'Died in hospital'), ('DISP', 'A', 'Left against medical advice'),
    ('SEX', '1', 'Female'), ('SEX', '2', 'Male');
INSERT INTO wards VALUES ('W7', 'Larch Ward', 20), ('IT', 'Intensive Care', 6);
INSERT INTO staff VALUES (1, 'Dr Ada Pole'), (2, 'Dr Bo Finn');
INSERT INTO pat_mast VALUES (1, 'Marsh', 'Una', '1', '1950-02-03', 'Y', '2021-03-09'),
    (2, 'Croft', 'Ned', '2', '1980-05-06', 'N', NULL);
INSERT INTO hosp_spell VALUES (11, 1, '2021-03-01 10:00', '2021-03-09 12:00', 'EM', 'X', 1),
    (12, 2, '2021-05-01 08:00', '2021-05-03 12:00', 'EL', 'H', 2),
    (13, 2, '2022-06-01 08:00', '2022-06-01 20:00', 'EM', 'A', 2);
INSERT INTO ward_trf VALUES (1, 11, 'W7', '7-A', '2021-03-01 10:00', '2021-03-07 12:00'),
    (2, 11, 'IT', 'I-1', '2021-03-07 12:00', '2021-03-09 12:00'),
    (3, 12, 'W7', '7-B', '2021-05-01 08:00', '2021-05-03 12:00'),
    (4, 13, 'W7', '7-C', '2022-06-01 08:00', '2022-06-01 20:00');
INSERT INTO icd_list VALUES ('J18.9', 'Pneumonia'), ('K40.9', 'Inguinal hernia');
INSERT INTO spell_dx VALUES (1, 11, 'J18.9'), (2, 12, 'K40.9');
INSERT INTO op_log VALUES (1, 12, 'Hernia repair', '2021-05-01 09:00', '2021-05-01 10:30', 'Spinal', 2);
INSERT INTO frontdoor VALUES (1, 11, '2021-03-01 09:00', 'Cough', 110, 95, 88),
    (2, 13, '2022-06-01 07:30', 'Fall', 70, 130, 98);
"""


def build(path: Path) -> Path:
    """Make the database."""
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
