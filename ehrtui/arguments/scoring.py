"""The arguments of commands for questions with known answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.language_model_options import add_approach
from ehrtui.arguments.options import add_conversation, add_database, add_selection, positive_number


def eval_parser() -> argparse.ArgumentParser:
    """`ehrtui eval …`."""
    parser = argparse.ArgumentParser(
        "ehrtui eval",
        description="Ask questions with gold answers and score the answers. Ctrl-C ends it with the scores so far.",
        epilog="The questions are a list as in EHRSQL: {id, question, answer, sql, is_impossible, template}; or "
        "conversations as in EHR-SeqSQL: {id, template, turns: [{question, answer, sql}]}, where a turn without a "
        "question is run as its seqsql. Where answer is left out, the rows of sql are expected. docs/evaluation.md has "
        "the other fields.",
    )
    add_database(parser)
    parser.add_argument("questions", metavar="QUESTIONS.json", help="questions, or conversations, with gold answers")
    parser.add_argument("--json", action="store_true", help="print one JSON object with all scores and the wrong ones")
    parser.add_argument("--wrong", action="store_true", help="list wrong answers and best guesses with the gold ones")
    parser.add_argument("--by-family", action="store_true", help="the scores of every family of questions")
    parser.add_argument("--curves", action="store_true", help="reliability, and risk over coverage, as tables")
    parser.add_argument("--chart", metavar="FILE.svg", type=Path, help="draw both curves to a picture")
    parser.add_argument(
        "--leave-one-family-out",
        action="store_true",
        help="beside the scores, those with a calibration and a threshold that no question of the family decided",
    )
    add_selection(parser)
    parser.add_argument("--family", metavar="TEXT", help="only families with this in their name")
    parser.add_argument("--limit", metavar="N", type=positive_number, help="only the first N questions")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="keep results there; the same command goes on from them"
    )
    add_conversation(parser)
    add_approach(parser)
    parser.add_argument("--memory", action="store_true", help="let approved cases help, as they do in ask")
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        type=Path,
        help="with --planner claude or both: answer from this recording of a language model, without a server; only "
        "the questions that it has are asked",
    )
    parser.set_defaults(save=False, repair=False)
    return parser


def calibrate_parser() -> argparse.ArgumentParser:
    """`ehrtui calibrate …`."""
    parser = argparse.ArgumentParser(
        "ehrtui calibrate",
        description="Ask questions with known answers, and fit to them what each doubt takes from the confidence of an "
        "answer. The calibration is used from then on for every database of the same schema family.",
        epilog="The questions are as for `ehrtui eval`: at least 50, also some that the database cannot answer.",
    )
    add_database(parser)
    parser.add_argument("questions", metavar="QUESTIONS.json", nargs="?", help="questions with gold answers")
    add_selection(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the calibration there instead")
    parser.add_argument("--forget", action="store_true", help="remove your calibration; the shipped one is used again")
    add_conversation(parser)
    parser.set_defaults(save=False, repair=False, memory=False)
    return parser
