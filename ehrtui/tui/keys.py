"""The one registry of keys. Bindings, footer, help screen and command palette are all made from it.

The keys reach panels as function keys, which no text field wants and which pass through ssh and tmux; Ctrl keys are
those that neither Textual's text fields nor tmux and screen (Ctrl+B, Ctrl+A) take.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

EVERYWHERE = "everywhere"
IN_TURN = ("back", "run", "run_again")
"""Actions that work everywhere, but behind what was typed before them. All others are at once where the next key is
meant to be."""


@dataclass(frozen=True)
class Key:
    """One command: in `place` (a panel, or everywhere), `keys` (comma-separated) do `action`.

    `label` is for the footer (none: not shown there), `help` a sentence for the help screen and the palette; `letter`
    does it behind the leader key.
    """

    place: str
    keys: str
    action: str
    label: str
    help: str
    palette: bool = True
    letter: str = ""

    @property
    def id(self) -> str:
        """What it is called where the user's own keys take its place."""
        return f"{self.place}:{self.keys}:{self.action}"


KEYS: tuple[Key, ...] = (
    Key(
        EVERYWHERE,
        "escape",
        "back",
        "back",
        "Stop what is running, end the tour, leave the zoom, or go back to the prompt",
        False,
    ),
    Key(EVERYWHERE, "f5,ctrl+r", "run", "run", "Run the plan that is shown", letter="r"),
    Key(
        EVERYWHERE,
        "f12",
        "run_again",
        "run again",
        "Run the shown turn again, changed or not, in its own place",
        letter="n",
    ),
    Key(EVERYWHERE, "f1", "help", "help", "What the focused panel does, and every key", letter="h"),
    Key(EVERYWHERE, "ctrl+q", "app.quit", "quit", "Leave ehrtui; the session is saved", letter="q"),
    Key(EVERYWHERE, "f2", "jump('schema')", "schema", "Go to the schema; again: hide it", letter="s"),
    Key(EVERYWHERE, "f3", "jump('conversation')", "turns", "Go to the conversation", letter="t"),
    Key(EVERYWHERE, "f4", "jump('answer')", "answer", "Go to the answer", letter="a"),
    Key(
        EVERYWHERE,
        "f6",
        "jump('plan')",
        "plan",
        "Go to the plan; again: its next view (logic, Python, SQL)",
        letter="p",
    ),
    Key(EVERYWHERE, "f7", "jump('duck')", "duck", "Go to the rubber duck: why something went wrong", letter="d"),
    Key(EVERYWHERE, "f8", "jump('confidence')", "confidence", "Go to the confidence", letter="c"),
    Key(EVERYWHERE, "f9", "zoom", "zoom", "Give the focused panel the whole screen, or take it back", letter="z"),
    Key(
        EVERYWHERE,
        "alt+left",
        "resize(-4)",
        "",
        "Move the border beside the answer to the left; in the schema, its own; kept",
        letter="<",
    ),
    Key(EVERYWHERE, "alt+right", "resize(4)", "", "Move the same border to the right", letter=">"),
    Key(EVERYWHERE, "alt+up", "resize_turns(-2)", "", "Move the border between turns and plan up; kept", letter="k"),
    Key(EVERYWHERE, "alt+down", "resize_turns(2)", "", "Move the same border down", letter="b"),
    Key(
        EVERYWHERE,
        "alt+h",
        "hide",
        "",
        "Hide the focused panel (schema, turns, plan) until you go to it again; kept",
        letter="m",
    ),
    Key(
        EVERYWHERE,
        "ctrl+g",
        "toggle_auto_run",
        "",
        "Run a plan by itself when its confidence reaches tau, or never",
        letter="u",
    ),
    Key(EVERYWHERE, "ctrl+e", "egress", "", "What left this machine for a language model, byte for byte", letter="e"),
    Key(EVERYWHERE, "ctrl+t", "app.change_theme", "", "Choose a colour theme", letter="l"),
    Key(
        EVERYWHERE,
        "ctrl+s",
        "app.picture",
        "",
        "Save a picture of the screen as SVG (it shows patient data)",
        letter="i",
    ),
    Key(EVERYWHERE, "alt+t", "tour", "", "A tour in ten steps, with the real keys; in it: skip a step", letter="w"),
    Key(EVERYWHERE, "ctrl+p", "app.command_palette", "commands", "Find a command by its name", False, "x"),
    Key(EVERYWHERE, "ctrl+@", "leader", "leader", "Then one letter: every command without function keys", False),
    Key(
        EVERYWHERE,
        "alt+j",
        "jump_mode",
        "",
        "Put a letter on all that can be gone to; the next key goes there",
        letter="j",
    ),
    Key("leader", "escape", "leave", "none", "No command after all", False),
    Key("jump", "escape", "leave", "none", "Stay where you are", False),
    Key("prompt", "enter", "submit", "ask", "Ask; once more, with the same question: run its plan", False),
    Key(
        "prompt", "up", "older", "older", "The line above; from the first: the question before, as you typed it", False
    ),
    Key("prompt", "down", "newer", "newer", "The line below; from the last: the question after", False),
    Key(
        "prompt",
        "tab",
        "complete",
        "complete",
        "Complete the word: a name that is stored, a concept, a table, A1; again: take the marked one",
        False,
    ),
    Key("prompt", "escape", "dismiss", "no completion", "Close the completions", False),
    Key("prompt", "ctrl+j,shift+enter", "newline", "", "Go on in a new line", False),
    Key("prompt", "ctrl+l", "meanings", "meanings", "What each word means here, and why one is left out; change it"),
    Key(
        "prompt",
        "ctrl+o",
        "scope",
        "for all",
        "Drop what the question is about (an earlier answer); again: take it back",
    ),
    Key("prompt", "ctrl+f", "find", "find", "Find a question of this session or of an earlier one"),
    Key("prompt", "ctrl+y", "resume", "last session", "Go on with the last session of this database"),
    Key("meanings", "left", "step(-1)", "word before", "The word before", False),
    Key("meanings", "right", "step(1)", "word after", "The word after", False),
    Key(
        "meanings",
        "enter,space",
        "select",
        "in/out, take",
        "Leave a member out, or take it in; take another meaning",
        False,
    ),
    Key(
        "meanings", "u", "keep", "from now on", "Use this meaning from now on, kept in memory; again: forget it", False
    ),
    Key("meanings", "s", "save", "save", "Save it as a concept of your own", False),
    Key("meanings", "escape,q", "close", "close", "Back to the question; or leave the concept unsaved", False),
    Key("examples", "enter", "select", "try it", "Put the example into the prompt", False),
    Key("schema", "enter", "select_cursor", "to prompt", "Put the name of the table or column into the prompt", False),
    Key("schema", "space", "toggle_node", "open/close", "Open or close a table", False),
    Key("schema", "p", "look", "look at it", "The first rows of a table; how the values of a column are spread"),
    Key("schema", "a", "ask", "ask about it", "Put a question about the table or column into the prompt, as SQL"),
    Key("schema", "slash", "search", "find", "Find a table or a column by a part of its name"),
    Key("look", "a", "ask", "ask about it", "Put a question about it into the prompt, as SQL", False),
    Key("look", "e", "exact", "all rows", "Look at all rows of the column, not at a sample", False),
    Key("look", "escape,q,enter", "leave", "close", "Close it", False),
    Key("conversation", "up", "cursor(-1)", "", "Show the turn before in all panels", False),
    Key("conversation", "down", "cursor(1)", "", "Show the turn after in all panels", False),
    Key("conversation", "home", "cursor(-1000000)", "", "The first turn", False),
    Key("conversation", "end", "cursor(1000000)", "", "The last turn", False),
    Key("conversation", "enter", "select", "its answer", "Go to the answer of the turn", False),
    Key("conversation", "space", "fold", "fold", "Fold away what was opened from the turn; again: show it"),
    Key("conversation", "slash", "find", "find", "Find a turn by its words"),
    Key(
        "conversation",
        "e",
        "ask_anew",
        "ask anew",
        "Put the turn's question into the prompt, to change it and ask again",
    ),
    Key("conversation", "c", "compare", "compare", "Put the turn beside another one, and count the rows they share"),
    Key("conversation", "n", "label('name')", "name", "Give the turn a name, which stands before its question"),
    Key("conversation", "N", "name_session", "", "Give the session a name: `ehrtui DB --session NAME` goes on with it"),
    Key("conversation", "t", "label('note')", "note", "Write a note on the turn, which stands above its answer"),
    Key(
        "conversation",
        "p",
        "label('pin')",
        "pin",
        "Keep the turn, and what was opened from it, at the top; again: no more",
    ),
    Key(
        "conversation",
        "x,delete",
        "label('away')",
        "put away",
        "Take the turn out of the list; later questions go without it",
    ),
    Key("conversation", "u", "undo_label", "undo", "Take back the last name, note, pin, or putting away"),
    Key("conversation", "l", "lineage", "lineage", "What the turn builds on, and what builds on it"),
    Key("two", "escape,q", "leave", "close", "Back to the turns", False),
    Key("conversation", "r", "refer", "refer to it", "Put the turn's name (A1) into the prompt"),
    Key("conversation", "d", "decompose", "decompose", "Run the turn's SQL as several turns: its inner queries first"),
    Key("conversation", "a", "approve", "approve", "Keep the turn in memory, without its values; again: forget it"),
    Key(
        "conversation",
        "plus,equals_sign",
        "judge(True)",
        "right",
        "Say that the answer is right, and why; again: take it back",
    ),
    Key("conversation", "minus", "judge(False)", "wrong", "Say that the answer is wrong, and why; again: take it back"),
    Key("conversation", "s", "renew", "run stale", "Run all stale turns again, each after those that it builds on"),
    Key("answer", "g", "reveal", "show guess", "Show the best guess of an abstained turn"),
    Key("answer", "1", "take_offer(0)", "take 1", "Take the first that is offered: a reading, or a question to ask"),
    Key("answer", "2", "take_offer(1)", "take 2", "Take the second that is offered"),
    Key("answer", "3", "take_offer(2)", "take 3", "Take the third that is offered"),
    Key(
        "answer",
        "enter",
        "open",
        "open",
        "Open what is behind the value: who was counted, a patient's stays, a stay, records",
    ),
    Key("answer", "right", "beside(1)", "beside", "Of a single value: mark the next figure beside it, to open it"),
    Key("answer", "left", "beside(-1)", "", "Of a single value: mark the figure before, or the value itself"),
    Key("answer", "backspace", "close", "back", "Back to the answer that this one was opened from"),
    Key(
        "answer",
        "o",
        "patient",
        "patient",
        "Show the patient of the row: stays, problems, drugs, values over time; of a stay, what happened in it",
    ),
    Key(
        "answer",
        "t",
        "tables",
        "tables",
        "The tables that hold the value under the cursor, and what its code means; each opens as a turn",
    ),
    Key("whereabouts", "enter", "show_rows", "rows", "Show these rows, as a turn of its own", False),
    Key("whereabouts", "escape,q", "leave", "close", "Back to the answer", False),
    Key("patient", "n,right", "turn(1)", "next", "The next patient, or stay, of the answer", False),
    Key("patient", "b,left", "turn(-1)", "back", "The patient, or stay, before", False),
    Key("patient", "e", "events", "events", "All that happened, in the order of time; again: the page", False),
    Key("patient", "d", "date", "date", "Go to what happened at a date, as far as you type it", False),
    Key("patient", "s", "stay", "stay", "Only one stay of the patient: the next; after the last, everything", False),
    Key(
        "patient",
        "enter",
        "open",
        "open",
        "Of a stay, what happened in it; else all records of the event's name, as a turn of its own",
        False,
    ),
    Key("patient", "a", "keep", "turn", "Make what is shown a turn of the session, with its query", False),
    Key("patient", "escape", "leave", "close", "No longer search; or close the patient", False),
    Key("patient", "slash", "search", "search", "Show only what has these letters in its name", False),
    Key("answer", "v", "open_cell", "value", "Show the value under the cursor, all of it"),
    Key("answer", "enter", "open_cell", "value", "Where nothing is behind the value: show all of it", False),
    Key("answer", "p", "chart", "chart", "Show the rows as a chart; again: another kind of chart; again: the rows"),
    Key("chart", "enter", "open_bar", "open", "Open the members of the marked bar, as a turn of its own", False),
    Key("chart", "up", "mark(-1)", "", "The bar above; without bars, up", False),
    Key("chart", "down", "mark(1)", "", "The bar below; without bars, down", False),
    Key("chart", "pageup", "page(-1)", "", "One page up", False),
    Key("chart", "pagedown", "page(1)", "", "One page down", False),
    Key("chart", "home", "mark(-1000000)", "", "The first bar, or the top", False),
    Key("chart", "end", "mark(1000000)", "", "The last bar, or the bottom", False),
    Key(
        "answer",
        "w",
        "cohort",
        "ask of them",
        "Ask of the patients or stays of the answer: a list, summary, histogram, attrition, comparison; or name them",
    ),
    Key("answer", "m", "todo", "tick", "Tick, put off and note the rows of a list of what is to be done"),
    Key(
        "answer",
        "e",
        "export",
        "export",
        "Write the answer to a file: CSV, Parquet, Markdown, notebook, SQL, a picture",
    ),
    Key("todo", "space,enter", "turn('done')", "done", "Tick the row as done; again: it is open", False),
    Key("todo", "z", "turn('snoozed')", "later", "Put the row off; again: it is open", False),
    Key("todo", "n", "note", "note", "Write a note on the row", False),
    Key("todo", "h", "hide", "open ones", "Show only the rows that are open; again: all", False),
    Key("todo", "escape,q", "close", "close", "Back to the answer; all is kept in the session", False),
    Key("reason", "escape", "leave", "leave", "Keep nothing", False),
    Key("cohort", "enter", "select", "ask", "Ask it, as a turn of its own", False),
    Key("cohort", "n", "name", "name it", "Keep the cohort under a name, for questions and query logic", False),
    Key("cohort", "escape,q", "close", "close", "Back to the answer; or leave the name", False),
    Key("answer", "c", "copy_cell", "copy cell", "Copy the value under the cursor"),
    Key("rows", "s", "sort", "sort", "Sort by the column under the cursor; again: the other way round; again: no more"),
    Key("rows", "f", "filter", "filter", "Show only rows that fit a condition on the column under the cursor"),
    Key("rows", "d", "facet", "spread", "How the values of the column under the cursor are spread; filter to one"),
    Key("rows", "equals_sign", "only(True)", "only this", "Show only rows with the value under the cursor"),
    Key("rows", "minus", "only(False)", "not this", "Show only rows with another value than the one under the cursor"),
    Key("facet", "enter", "only", "only this", "Show only the rows with the marked value", False),
    Key("facet", "x", "exclude", "not this", "Show only the rows with another value", False),
    Key("facet", "escape,q", "leave", "close", "Back to the rows as they are", False),
    Key("finder", "up", "mark(-1)", "", "The line before", False),
    Key("finder", "down", "mark(1)", "", "The next line", False),
    Key("finder", "escape", "leave", "close", "Take none", False),
    Key("rows", "x", "clear", "all rows", "Clear filters and order: all rows as they are"),
    Key("rows", "r", "copy_row", "row", "Copy the row under the cursor, tab-separated"),
    Key("rows", "l", "copy_column", "column", "Copy the column under the cursor"),
    Key("rows", "a", "copy_all", "all", "Copy all rows, tab-separated"),
    Key("filter", "enter", "submit", "filter", "Show only the rows that fit; an empty line: whatever the value", False),
    Key("filter", "escape", "leave", "leave as it is", "Close the filter; nothing changes", False),
    Key("table", "up", "move(-1, 0)", "", "One row up", False),
    Key("table", "down", "move(1, 0)", "", "One row down", False),
    Key("table", "left", "move(0, -1)", "", "One column left", False),
    Key("table", "right", "move(0, 1)", "", "One column right", False),
    Key("table", "ctrl+left", "move(0, -10)", "", "Ten columns left", False),
    Key("table", "ctrl+right", "move(0, 10)", "", "Ten columns right", False),
    Key("table", "shift+home", "move(0, -1000000000)", "", "The first column", False),
    Key("table", "shift+end", "move(0, 1000000000)", "", "The last column", False),
    Key("table", "pageup", "page(-1)", "", "One page up", False),
    Key("table", "pagedown", "page(1)", "", "One page down", False),
    Key("table", "home,ctrl+home", "move(-1000000000, 0)", "", "The first row", False),
    Key("table", "end,ctrl+end", "move(1000000000, 0)", "", "The last row", False),
    Key("plan", "ctrl+o", "restore", "as proposed", "Take back every edit: the plan as it was proposed"),
    Key(
        "plan",
        "ctrl+n",
        "next_reading",
        "next reading",
        "Read the question in the next way; a turn runs again, and memory keeps it",
    ),
    Key("plan", "ctrl+l", "decompose", "decompose", "Run the SQL as several turns: its inner queries, or its clauses"),
    Key("plan", "f10", "step", "step", "Run one step of the plan, and halt; again: the next one"),
    Key("plan", "ctrl+f", "diff", "changes", "Show what was changed since the plan was proposed; again: the editor"),
    Key("plan", "ctrl+z", "undo", "undo", "Undo the last edit in this view", False),
    Key("plan", "ctrl+y", "redo", "redo", "Do again what was undone in this view", False),
    Key("tree", "up", "cursor(-1)", "", "The line before", False),
    Key("tree", "down", "cursor(1)", "", "The line after", False),
    Key("tree", "home", "cursor(-1000000)", "", "The first line", False),
    Key("tree", "end", "cursor(1000000)", "", "The last line", False),
    Key(
        "tree",
        "space",
        "change('switch')",
        "off/on",
        "Switch the criterion off, so that it demands nothing; again: on",
        False,
    ),
    Key("tree", "n", "change('negate')", "not", "Turn the criterion round: with and without, >= and <", False),
    Key("tree", "a", "change('add')", "add", "Add a criterion here, in query logic or in words", False),
    Key("tree", "d,delete", "change('remove')", "remove", "Take the criterion away", False),
    Key("tree", "shift+up,K", "change('up')", "move up", "Move the criterion up", False),
    Key("tree", "shift+down,J", "change('down')", "move down", "Move the criterion down", False),
    Key(
        "tree",
        "g",
        "change('group')",
        "group",
        "Make a group of the criterion and the next: any of them is enough",
        False,
    ),
    Key("tree", "o", "change('turn')", "any/all", "Of a group: any of them is enough, or all must hold", False),
    Key("tree", "t", "change('apart')", "take apart", "Of a group: make its members criteria of their own", False),
    Key("tree", "u", "change('undo')", "undo", "Take the last change back", False),
    Key("tree", "r", "change('redo')", "redo", "Make the change again that was taken back", False),
    Key("criterion", "enter", "submit", "add it", "Add the criterion that is written", False),
    Key("criterion", "escape", "leave", "leave", "Add none", False),
    Key("editor", "ctrl+home", "to_start", "", "The beginning of the text", False),
    Key("editor", "ctrl+end", "to_end", "", "The end of the text", False),
    Key("completion", "tab", "complete", "take", "Write the completion that is marked", False),
    Key("completion", "escape", "dismiss", "no completion", "Close the completions", False),
    Key("completion", "up", "cursor_up", "", "The completion before, where some are shown", False),
    Key("completion", "down", "cursor_down", "", "The completion after, where some are shown", False),
    Key("steps", "up", "cursor(-1)", "", "The step before", False),
    Key("steps", "down", "cursor(1)", "", "The step after", False),
    Key("steps", "home", "cursor(-1000000)", "", "The first step", False),
    Key("steps", "end", "cursor(1000000)", "", "The last step", False),
    Key("steps", "enter", "inspect", "its value", "Show what the step gave: rows, items, or a text", False),
    Key("steps", "t", "run_to", "run to here", "Run the plan up to the step, and halt after it"),
    Key(
        "steps",
        "f",
        "run_from",
        "run from here",
        "Run the turn again from the step on; those before it keep their values",
    ),
    Key("steps", "c", "go_on", "go on", "Run a halted plan to its end"),
    Key("duck", "enter", "accept", "run the repair", "Run the repaired plan in place of the one that is shown"),
    Key("duck", "n", "next_repair", "next repair", "Show the next repair: another suggestion in place of the first"),
    Key("confidence", "plus,equals_sign", "threshold(0.05)", "raise τ", "Raise tau: fewer, surer answers"),
    Key("confidence", "minus", "threshold(-0.05)", "lower τ", "Lower tau: more answers, less sure"),
)

PLACES: dict[str, str] = {
    EVERYWHERE: "Everywhere",
    "leader": "After the leader key",
    "jump": "Letters to go to",
    "prompt": "Prompt",
    "meanings": "Meanings of the words",
    "examples": "Examples",
    "schema": "Schema",
    "look": "A table or column",
    "conversation": "Conversation",
    "answer": "Answer",
    "patient": "Patient",
    "cohort": "What to ask of a cohort",
    "todo": "A list of what is to be done",
    "reason": "A reason or a note",
    "rows": "Answer rows",
    "facet": "How a column is spread",
    "whereabouts": "Tables that hold a value",
    "finder": "Finding by name",
    "two": "Two turns side by side",
    "filter": "Filter",
    "table": "Answer table",
    "chart": "Chart",
    "plan": "Plan",
    "tree": "Criteria of the plan",
    "criterion": "A criterion to add",
    "editor": "Plan editors",
    "completion": "Completions in the plan",
    "steps": "Plan steps",
    "duck": "Rubber duck",
    "confidence": "Confidence",
}

ABOUT: dict[str, str] = {
    "prompt": "Ask in your own words. While you type, the line below shows how the question is understood; words that "
    "nothing in this database explains are underlined and named after a '?'. Refer to earlier turns as A1, A2 … or "
    "as 'those patients'. A line that starts with SELECT or WITH is run as SQL. Names stand in brackets with what they "
    "mean here; so does what a question is about that leans on an earlier answer: [of A2: 15 patients].",
    "meanings": "For each name of the question its members that are stored here, with their rows and patients, and "
    "what else it may mean. What you change is asked so at once: the logic below follows. Words that the reading "
    "leaves out say why, and what that costs it.",
    "examples": "Questions that this database can answer, made from its own values.",
    "schema": "The tables of this database with their row counts. Columns are marked: key, # number, ◷ time, a text; "
    "→ points at another table.",
    "look": "A table: its first rows. A column: how many values it has, how many differ, the least and the greatest, "
    "the most frequent ones, and how numbers are spread; of a sample, which is said.",
    "conversation": "Your turns, each with its value or its rows; ↑ and ↓ show them. ✓ answered, ∅ without rows or "
    "with nothing but NULL, ◌ abstained, ✗ failed, ○ a draft; ≠ stale: a turn that it builds on was run again since; "
    "✎ edited; ★ approved: the form of its question and logic, without any value, is in memory; ⊕ ⊖ what you said "
    "of the answer, right or wrong; ◆ pinned, ¶ with a note. What was opened from a "
    "turn stands below it (└); +2 are folded away.",
    "answer": "The rows of the selected turn, exactly as many as there are; · stands before what was not asked, and "
    "helps to read the answer. Numbers that were reckoned have two decimals, and the title has their unit; v, copies "
    "and files have them whole. A turn that abstained says why, and "
    "offers the nearest questions that can be answered: 1, 2 or 3 asks one. Where two readings have different answers, "
    "they are offered, and 1 or 2 takes one. Its best guess is shown only when you ask "
    "for it. Enter opens what is behind a value as a turn of its own: the patients of a count, the records of a mean, "
    "the stays of a patient; of a stay, it shows what happened in it; of any other value, all of it. Below one large "
    "value stand the figures that it rests on: → marks them, and Enter opens them too. Where rows are fewer patients "
    "than rows, that is said. Backspace goes back.",
    "patient": "All that is recorded of one patient, or of one stay (s). Stays, drugs and values stand over the same "
    "time, whose ends are named above them: drugs with the latest dose, values with the latest, H or L where it is "
    "over or under its range, A where the laboratory flagged it and it is neither. A range is the one that the "
    "database stores or its profile tells; ~ or “usual” stands before a common one of adults, taken where the unit is "
    "the same. It is a look, and no turn, until a makes it one.",
    "cohort": "The patients or stays that the answer tells of, and what can be asked of them, each with its query "
    "logic. What is asked runs as a turn of its own. A cohort that has a name is found again in every session, by its "
    'name in a question or as patients concept "name" in query logic.',
    "facet": "The values of the column with how often each occurs, the most frequent first, of the rows shown; "
    "numbers also as a histogram.",
    "whereabouts": "Every table with such a column that holds the value, and those that keys lead to, in both "
    "directions, with their rows; of a code its name, what else its dictionary says, and its family.",
    "two": "What was asked, how it was read, and the rows of both; below, where they have as many columns, how many "
    "different rows are in both and in one alone.",
    "leader": "Letters for every command that works everywhere, where function keys are far or taken: ^Space, then a.",
    "jump": "Each letter stands where a list, a table, an editor or a line begins that takes keys.",
    "finder": "Type any part of it: lines with all of the words stay; where none has them, those that are like it.",
    "todo": "✓ done, z put off, ✎ with a note. What you mark is kept in the session by the number of the row, without "
    "its values, and is there again when the session goes on.",
    "reason": "A line of your own, kept in the session.",
    "rows": "▲ ▼ mark the column that the rows are sorted by, * those with a condition. Sorting and filtering change "
    "what is shown, never the answer: later turns build on all of its rows.",
    "chart": "The rows of an answer as bars, boxes or lines. Each bar of a group stands for a row, and opens what it "
    "was counted or reckoned from, where that is known; a click does it, too. Bars that were made of single values "
    "open nothing. ├─┼─┤ is an interval with its value.",
    "filter": "> 5, >= 5, < 5, <= 5, = male, != male, ~ part (contains), null, not null. A date may be its beginning: "
    ">= 2104-06. Conditions on several columns are combined.",
    "plan": "How the question will be computed, as query logic, as Python and as SQL. Change any of them before the "
    "run: the others follow, or say that they no longer do. The tree of the logic says how many meet each criterion, "
    "and → how many are left from top to bottom. Where a question can be read in several ways, they "
    "are listed above the logic: ▸ is taken, ≠ and = say what the others answer. A reading that you choose is kept in "
    "memory once it has answered: questions of the same form are read so from then on. Tab goes on to the steps below.",
    "tree": "The criteria of the logic, each with how many meet it by itself and behind → how many are left after it. "
    "What you change here stands in the text above, too, and the other way round; F5 runs it, F12 runs it in place of "
    "the turn. A criterion that is off keeps its place and its number, and demands nothing.",
    "criterion": "A criterion as query logic has it (with lab “creatinine”, age >= 65) or in your own words (on "
    "warfarin).",
    "completion": "While you type in the plan: words of query logic, kinds of records, tables, columns, tools with "
    "what they do, and names that are stored in this database.",
    "steps": "Each step with its line, what came of it, how long it took, how sure it is. · waits, ▸ is next, ● runs, "
    "✓ done, ↺ as in the last run, ✗ failed. The values of steps are kept for the last run alone; a run from a step "
    "uses them again where the steps before it are the same, and says where it cannot.",
    "duck": "What most probably went wrong, or looks wrong although it ran, at which line, and what to try. - and + "
    "show what a repair changes; nothing is repaired until you accept it. An accepted repair is an edit, marked ✎; "
    "^Z in the Python plan takes it back, ^O in any view.",
    "confidence": "The probability that the answer is right, the threshold τ below which an answer is withheld, and "
    "the confidence of each step.",
}


def bindings(place: str) -> list[BindingType]:
    """The Textual bindings of a panel, or of the whole screen; those that work everywhere
    come before the ones of text areas."""
    return [
        Binding(
            key.keys,
            key.action,
            key.label or key.help,
            show=bool(key.label),
            tooltip=key.help,
            id=key.id,
            priority=key.place == EVERYWHERE and key.action not in IN_TURN,
        )
        for key in KEYS
        if key.place == place
    ]


def key_name(key: str) -> str:
    """A key as people write it: `F5`, `^R`, `Enter`."""
    names = {"escape": "Esc", "plus": "+", "minus": "-", "equals_sign": "=", "up": "↑", "down": "↓", "left": "←",
             "right": "→", "pageup": "PgUp", "pagedown": "PgDn", "slash": "/", "@": "Space"}  # fmt: skip
    *modifiers, name = key.split("+")
    shown = names.get(name, name.capitalize() if len(name) > 1 else name)
    shown = f"⇧{shown}" if "shift" in modifiers else shown
    shown = f"Alt+{shown}" if "alt" in modifiers else shown
    return "^" + (shown.upper() if len(shown) == 1 else shown) if "ctrl" in modifiers else shown
