"""What others have published for EHRSQL's questions, to stand beside the scores of a language model.

EHRAgent (Shi et al., EMNLP 2024), TrustEHRAgent (Song et al., 2025; arXiv 2508.19096), and the shared task EHRSQL-2024.
Their questions are other samples of the same benchmark, and their models were other ones.
"""

from __future__ import annotations

from collections.abc import Mapping

PUBLISHED: Mapping[str, Mapping[str, str]] = {
    "MIMIC-III (EHRSQL)": {
        "SR": "59 to 62 % (EHRAgent, TrustEHRAgent)",
        "HCAcc@70": "44.2 points above all others (TrustEHRAgent)",
    },
    "eICU (EHRSQL)": {
        "SR": "53 to 60 % (EHRAgent, TrustEHRAgent)",
        "HCAcc@70": "25.3 points above all others (TrustEHRAgent)",
    },
    "MIMIC-IV (EHRSQL)": {"RS(10)": "81.3 (the winner of EHRSQL-2024)"},
}
"""By a profile's name, and the beginning of a score's."""
