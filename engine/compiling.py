"""How rules are compiled and cached: the only module that configures Numba.

With ``NUMBA_DISABLE_JIT=1`` every rule stays the plain Python function that it is in the source.

Numba does not recompile a cached function when a function that it *calls*, in another file, changes
(numba/numba#1833). So the name of a cache folder is a hash of the sources of this package, of the bots and
of the package that holds the function, and a record type carries a hash of the package that made it: when a
game outside this package changes, so does its type, and every kernel over it is compiled again.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

import numba
import numpy as np
from numba.extending import overload

_ENGINE = Path(__file__).resolve().parent

COMPILED = not numba.config.DISABLE_JIT

_OPTIONS = {"forceinline": True, "nogil": True}
"""Rules are inlined into their callers: left alone, Numba counts references to every array at every call,
which took 40 % of the time of random play. They release the interpreter lock, so that threads search side by side."""

_CALLED = _OPTIONS | {"forceinline": False}


def rule(function):
    """Compiles `function` when it is first called and caches the machine code on disk."""
    return _compiled(function, _OPTIONS)


def called_rule(function):
    """A `rule` that is not inlined: for a large one that a kernel needs in several places and not too often."""
    return _compiled(function, _CALLED)


def _compiled(function, options):
    numba.config.CACHE_DIR = str(_cache_folder(_package_of(function.__code__.co_filename)))
    return numba.njit(cache=True, **options)(function)


def record(fields, file) -> np.dtype:
    """A record type with attribute access in compiled and in plain code, and no gap between fields.

    `fields` are the fields of a structured NumPy dtype, wide ones first (the bytes of a gap are never
    copied, and records are compared byte by byte); `file` is the ``__file__`` of the module that asks.
    A last field, named after the sources around that file, fills up the size and makes the type
    unique to them. Raises TypeError for a gap, or a name that plain code could not reach as an attribute.
    """
    taken = [name for name, *_ in fields if hasattr(np.record, name)]
    if taken:
        raise TypeError(f"{file}: fields {', '.join(taken)}: NumPy records have attributes of these names")
    packed = np.dtype(fields)
    filling = -packed.itemsize % 8
    source = (f"source_{_hash_of(_package_of(file))}", np.int8, (filling,))
    aligned = np.dtype([*fields, source], align=True)
    if aligned.itemsize != packed.itemsize + filling:
        raise TypeError(f"{file}: the record has gaps between its fields; expected wide fields before narrow ones")
    return np.dtype((np.record, aligned))


def dispatched(functions: dict[np.dtype, dict]):
    """A decorator for a rule that every game writes in its own way, chosen by the type of its first argument.

    ``functions[dtype][name]`` holds the version for each record type. Compiled code chooses when it is
    compiled, plain code when it runs. (Passing functions as arguments would work too, but Numba then
    compiles their caller anew in every process.)
    """

    def decorate(stub):
        name = stub.__name__

        @functools.wraps(stub)
        def generic(state, *arguments):
            return functions[state.dtype][name](state, *arguments)

        if COMPILED:

            @overload(generic, jit_options=_OPTIONS)
            @functools.wraps(stub)
            def choose(state, *_arguments):
                for dtype, versions in functions.items():
                    if numba.from_dtype(dtype) == state:
                        return versions[name].py_func
                raise numba.TypingError(f"{name}: nothing is registered for records of type {state}")

        return generic

    return decorate


def _package_of(file) -> Path:
    """The outermost package that holds `file`, or its folder when that is no package."""
    folder = Path(file).resolve().parent
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


@functools.cache
def _hash_of(*folders: Path) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        pattern = "**/*.py" if (folder / "__init__.py").exists() else "*.py"
        for source in sorted(folder.glob(pattern)):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def _cache_folder(package: Path) -> Path:
    others = () if package == _ENGINE else (_ENGINE.parent / "bots", package)
    return _cache_root() / f"kernels-{_hash_of(*dict.fromkeys((_ENGINE, *others)))}"


@functools.cache
def _cache_root() -> Path:
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if os.access(_ENGINE, os.W_OK):
        return _ENGINE / "__pycache__"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "timetricks"
