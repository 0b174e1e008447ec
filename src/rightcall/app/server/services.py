"""What a server is made of, put together once."""

from __future__ import annotations

from pathlib import Path

from ...errors import OptionError, PathNotFoundError
from ...run.directory.outplace import Lock
from ...run.sets import suite_members
from .datasets import Datasets
from .jobs import Jobs
from .keys import Keys
from .logs import log
from .making import Making
from .metrics import Metrics
from .runs import Runs
from .settings import Settings
from .store.database import Database
from .traces import Traces

__all__ = ["Services"]


class Services:
    """Everything that endpoints use.

    Attributes:
        draining: the server is stopping: nothing new is taken on.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.draining = False
        folder = Path(settings.data_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise OptionError(f"{folder} can't be made: {error.strerror}", field="data_dir") from None
        suite_members(settings.trace_suite)
        self._folder = folder
        self._lock: Lock | None = None
        self._is_open = False
        self.database = Database(settings.url)
        self.metrics = Metrics()
        self.keys = Keys(self.database)
        self.datasets = Datasets(self.database, folder / "datasets", most=int(settings.upload_mb * (1 << 20)))
        self.runs = Runs(self.database, folder / "runs", self.datasets)
        self.jobs = Jobs(self.runs, folder, most=settings.jobs)
        self.making = Making(min(5.0, settings.request_seconds / 2))
        self.traces = Traces(self.database, self.datasets, settings, self.metrics)

    def open(self) -> None:
        """Migrate, and go on with what an earlier process left.

        Raises:
            OptionError: another server owns the folder.
            StoreError: the database can't be used.
        """
        if self._is_open:
            return
        self._lock = Lock(self._folder)
        self.database.migrate()
        self._is_open = True
        if self.settings.trace_dataset is not None:
            try:
                self.datasets.version(self.settings.trace_dataset)
            except PathNotFoundError as error:
                log(
                    "warning",
                    what=f"trace_dataset: {error.message}; until then nothing is expected of traces",
                )
        self.jobs.open()
        self.traces.open()

    def close(self) -> None:
        """Stop what goes on; runs are left so that they can be gone on with."""
        self.draining = True
        self.jobs.close(self.settings.drain_seconds)
        self.traces.close()
        self.keys.write_use()
        self.database.close()
        if self._lock is not None:
            self._lock.release()
