"""A tournament as one HTML file: what is shown (`facts`), its figures (`figures`), and the page (`page`)."""
