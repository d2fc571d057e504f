"""The Workbench: a page with the scores and every error, and an application around it."""

from clineval.workbench.build import build_workbench
from clineval.workbench.page import Workbench

__all__ = ["Workbench", "build_workbench"]
