"""Questions that lean on earlier answers: what they point at, and what they change."""
