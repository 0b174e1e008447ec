"""The commands by name, loaded when called for, and what becomes of errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from ..._version import __version__
from ...errors import RightcallError
from .screen import open_streams, silence, tell

__all__ = ["run"]

_COMMANDS: Final = (
    *("run", "eval", "explain", "compare", "compare-presets"),
    *("record", "lint", "convert", "judge", "evaluators", "suites", "formats", "schema"),
    *("serve", "keys", "db"),
)

EXIT_USAGE: Final = 2
EXIT_FAULT: Final = 4
EXIT_INTERRUPTED: Final = 130

_EPILOG: Final = """\b
Exit codes: 0 all gates met; 1 a gate missed; 2 wrong usage or configuration;
3 data could not be read, held no case, or too many cases in error;
4 infrastructure failed, a fault of rightcall itself included; 130 interrupted.
"""


class _Commands(click.Group):
    """Loads a command's file when it is called, or when help lists it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"{__package__}.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from ...errors import nearest

        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], _COMMANDS)
            hint = f"did you mean {near!r}?" if near else f"known: {', '.join(_COMMANDS)}"
            raise click.UsageError(f"unknown command {args[0]!r} ({hint})", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EPILOG,
)
@click.version_option(__version__, prog_name="rightcall", message="%(prog)s %(version)s")
def rightcall() -> None:
    """Score the tool calls of AI agents, and see why each call matched or did not.

    \b
      rightcall run examples/travel/cases.jsonl --suite agent --no-gate
      rightcall eval tool_call_accuracy --output '[{"name": "f"}]' --expected '[{"name": "f"}]'
    """  # noqa: D301 - click reads the backspace


def run(arguments: Sequence[str]) -> int:
    """Run a command; gives the exit code. Errors are told on standard error, never as a traceback."""
    open_streams()
    try:
        return _invoke(list(arguments))
    except click.exceptions.NoArgsIsHelpError as error:
        tell(error.format_message())
        return EXIT_USAGE
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "rightcall"
        tell(f"error: {_in_words(error)}\nsee: {command} --help")
        return EXIT_USAGE
    except RightcallError as error:
        if _debugging():
            raise
        tell(f"error: {error}")
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        tell("interrupted")
        return EXIT_INTERRUPTED
    except OSError as error:
        return _os_error(error)
    except Exception as error:  # the last line of defence: one line instead of a traceback
        if _debugging():
            raise
        text = f"error: {type(error).__name__}: {error}".splitlines()[0]
        tell(f"{text}\nThis is a fault in rightcall. RIGHTCALL_DEBUG=1 shows where.")
        return EXIT_FAULT


def _in_words(error: click.ClickException) -> str:
    """What click says; of an option that is not there with the one that was meant, not with all that look like it."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error.format_message()
    from ...errors import nearest

    flags = [flag for each in error.ctx.command.get_params(error.ctx) for flag in each.opts if "--" in flag]
    near = nearest(error.option_name, flags)
    return f"unknown option {error.option_name!r}" + (f" (did you mean {near!r}?)" if near else "")


def _invoke(arguments: list[str]) -> int:
    """What click's own `main` does, which ends with 1 where a reader has left."""
    complete = os.environ.get(_COMPLETE)
    if complete:
        from click.shell_completion import shell_complete

        return shell_complete(rightcall, {}, _NAME, _COMPLETE, complete)
    try:
        with rightcall.make_context(_NAME, arguments) as context:
            found = rightcall.invoke(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    return found if isinstance(found, int) else 0


_NAME: Final = "rightcall"
_COMPLETE: Final = "_RIGHTCALL_COMPLETE"

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _os_error(error: OSError) -> int:
    """Files and streams that can't be used are ordinary: a full disk, a permission, a file that went away."""
    silence()
    if isinstance(error, BrokenPipeError):
        return 0  # the reader has left
    if _debugging():
        raise error
    names = [str(name) for name in (error.filename, error.filename2) if name is not None]
    # Whatever writes a file names it; help is written by click, which does not name the stream.
    place = " -> ".join(names) or ("standard output" if error.errno in _FULL else "")
    reason = error.strerror or str(error)
    tell(f"error: {place}: {reason}" if place else f"error: {reason}")
    return EXIT_FAULT


def _debugging() -> bool:
    return os.environ.get("RIGHTCALL_DEBUG", "") not in ("", "0")
