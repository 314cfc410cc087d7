"""The reader: questions in people's own words, as a chart of typed spans with a price on every word."""
