"""qSOFA, the bedside score for suspected infection.

Singer M, Deutschman CS, Seymour CW, et al. The Third International Consensus Definitions for Sepsis and Septic Shock
(Sepsis-3). JAMA 2016;315(8):801-810. doi:10.1001/jama.2016.0287
"""

from __future__ import annotations

from ehrtui.plans.user_tools import user_tool


def qsofa(respiratory_rate: float, systolic_pressure: float, glasgow_coma_scale: float) -> int:
    """The qSOFA score (0 to 3; Singer et al., JAMA 2016): one point each for a respiratory rate of 22 or more a minute,
    a systolic blood pressure of 100 mmHg or less, and a Glasgow Coma Scale below 15. Two or more tell a high risk."""
    if not (0 <= respiratory_rate <= 150 and 0 <= systolic_pressure <= 400 and 3 <= glasgow_coma_scale <= 15):
        raise ValueError("A rate per minute, a pressure in mmHg and a coma scale of 3 to 15 are needed.")
    return (respiratory_rate >= 22) + (systolic_pressure <= 100) + (glasgow_coma_scale < 15)


TOOLS = [user_tool(qsofa, "qsofa(24, 95, 15)")]
