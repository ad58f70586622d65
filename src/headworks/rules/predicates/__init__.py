"""The predicates of the rule language, by what they look at."""
