"""A hand-written database of a small practice that declares no keys, and names nothing as others do.

Mia (P1, woman, born 1950) came in 2021 (clinic, cough) and 2022 (phone), smokes, and has asthma; Leo (P2, man, born
2015) came twice in 2022 (clinic) with eczema; Ivy (P3, woman, born 1980) never came.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2022-12-31 23:59:00"

_SCRIPT = """
CREATE TABLE members (member_ref TEXT, full_name TEXT, sx TEXT, birthday TEXT, smoker TEXT, suburb TEXT);
CREATE TABLE bookings (booking_ref TEXT, member_ref TEXT, held_on TEXT, practitioner TEXT, booking_kind TEXT,
    why_seen TEXT, fee REAL, room TEXT);
CREATE TABLE room_list (room TEXT, room_title TEXT);
CREATE TABLE ailments (booking_ref TEXT, pos INTEGER, ailment TEXT, chronic TEXT);
CREATE TABLE scripts (booking_ref TEXT, medicine_ref INTEGER, tablets INTEGER, given_on TEXT, ceased_on TEXT);
CREATE TABLE medicine_list (medicine_ref INTEGER, medicine TEXT, family TEXT);
CREATE TABLE samples (booking_ref TEXT, analyte TEXT, finding REAL, uom TEXT, low REAL, high REAL);
CREATE TABLE sensitivities (member_ref TEXT, agent TEXT, reaction TEXT, severity TEXT);
INSERT INTO members VALUES ('P1', 'Mia Hart', 'W', '1950-03-04', 'current', 'Elm Park'),
    ('P2', 'Leo Hart', 'M', '2015-06-07', 'never', 'Elm Park'), ('P3', 'Ivy Dean', 'W', '1980-01-02', NULL, 'Quay');
INSERT INTO bookings VALUES ('B1', 'P1', '2021-05-06', 'Dr A. Quill', 'clinic', 'cough', 30, 'R1'),
    ('B2', 'P1', '2022-02-03', 'Dr B. Rook', 'phone call', 'review', 10, 'R2'),
    ('B3', 'P2', '2022-03-04', 'Dr A. Quill', 'clinic', 'rash', 50, 'R1'),
    ('B4', 'P2', '2022-09-10', 'Dr A. Quill', 'clinic', 'rash', 30, 'R1');
INSERT INTO room_list VALUES ('R1', 'Blue Room'), ('R2', 'Office');
INSERT INTO ailments VALUES ('B1', 1, 'Asthma', 'yes'), ('B1', 2, 'Gout', 'no'), ('B3', 1, 'Eczema', 'no'),
    ('B4', 1, 'Eczema', 'yes');
INSERT INTO scripts VALUES ('B1', 1, 20, '2021-05-06', NULL), ('B3', 2, 10, '2022-03-04', '2022-03-14'),
    ('B4', 2, 30, '2022-09-10', NULL), ('B2', 1, 60, '2022-02-03', NULL);
INSERT INTO medicine_list VALUES (1, 'Salbutamol', 'inhaler'), (2, 'Hydrocortisone', 'steroid');
INSERT INTO samples VALUES ('B1', 'Ferritin', 9, 'ug/L', 15, 300), ('B2', 'Ferritin', 40, 'ug/L', 15, 300),
    ('B3', 'Ferritin', 400, 'ug/L', 15, 300);
INSERT INTO sensitivities VALUES ('P1', 'Latex', 'rash', 'severe'), ('P1', 'Penicillin', 'nausea', 'mild'),
    ('P2', 'Latex', 'nausea', 'mild');
"""


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
