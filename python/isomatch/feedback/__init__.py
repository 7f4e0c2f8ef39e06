"""What people say about answers: kept beside the graph, to learn from and to test with."""

from isomatch.feedback.file import FeedbackFile, record
from isomatch.feedback.types import Feedback, Reading, Record

__all__ = ["Feedback", "FeedbackFile", "Reading", "Record", "record"]
