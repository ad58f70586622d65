"""Assembly: what the stages made, as the records, boxes, views and pages that leave the program."""
