"""Tests of the views, the templates and the files they become."""
