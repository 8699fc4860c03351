"""What Linux itself refuses a student's process, whatever Python is talked into.

An audit hook is Python, and whoever can write into Python's memory takes it out: NumPy can. So the
kernel is asked, too, before any code of a student's runs. ``refuse_files`` (Landlock) leaves some
folders to be read, and nothing to be written; ``refuse_calls`` (seccomp) leaves one process alone
with itself: no other programs, no children, no network, no signals to others, no limits changed.
Neither can be taken back. Each says whether the kernel has agreed; elsewhere there is none.

This file imports nothing of minigrad: the student's process loads it by its path.
"""

from __future__ import annotations

import ctypes
import glob
import os
import platform
import sys
from collections.abc import Iterable
from typing import Any

CALLS = {
    "x86_64": (0xC000003E, 56, 435, 62, 234),
    "aarch64": (0xC00000B7, 220, 435, 129, 131),
}
"""The number of the architecture, and the kernel's numbers of clone, clone3, kill and tgkill."""

# fmt: off
REFUSED = {
    "x86_64": (
        # socket, execve, execveat, ptrace, process_vm_readv, process_vm_writev, io_uring_setup
        41, 59, 322, 101, 310, 311, 425,
        # fork, vfork, setsid, setpgid, unshare, setns
        57, 58, 112, 109, 272, 308,
        # tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_open, pidfd_send_signal, pidfd_getfd,
        # kcmp, process_madvise, process_mrelease
        200, 129, 297, 434, 424, 438, 312, 440, 448,
        # setrlimit, prlimit64, setpriority, ioprio_set, sched_set(param, scheduler, affinity, attr)
        160, 302, 141, 251, 142, 144, 203, 314,
        # mknod*, mkdir*, rmdir, creat, unlink*, symlink*, link*, rename*, truncate, fallocate
        133, 259, 83, 258, 84, 85, 87, 263, 88, 266, 86, 265, 82, 264, 316, 76, 285,
        # *chmod*, *chown*, *utime*
        90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280,
        # *setxattr*, *removexattr*
        188, 189, 190, 197, 198, 199, 463, 466,
        # open_by_handle_at, mount, umount2, chroot, pivot_root, open_tree, move_mount, fsopen,
        # fsmount, mount_setattr
        304, 165, 166, 161, 155, 428, 429, 430, 432, 442,
        # shmget, semget, msgget, mq_open
        29, 64, 68, 240,
        # bpf, perf_event_open, userfaultfd, keyctl, add_key, request_key, modules, kexec
        321, 298, 323, 250, 248, 249, 175, 313, 176, 246, 320,
        # reboot, swapon, swapoff, host's and domain's name, clocks, acct, quotactl, ports, syslog
        169, 167, 168, 170, 171, 164, 227, 159, 305, 163, 179, 172, 173, 103,
    ),
    "aarch64": (  # the same ones, as far as it has them
        198, 221, 281, 117, 270, 271, 425,
        157, 154, 97, 268,
        130, 138, 240, 434, 424, 438, 272, 440, 448,
        164, 261, 140, 30, 118, 119, 122, 274,
        33, 34, 35, 36, 37, 38, 276, 45, 47,
        52, 53, 452, 55, 54, 88,
        5, 6, 7, 14, 15, 16, 463, 466,
        265, 40, 39, 51, 41, 428, 429, 430, 432, 442,
        194, 190, 186, 180,
        280, 241, 282, 219, 217, 218, 105, 273, 106, 104, 294,
        142, 224, 225, 161, 162, 170, 112, 171, 266, 89, 60, 116,
    ),
}
# fmt: on

CLONE_THREAD = 0x10000
NO_NEW_PRIVILEGES = 38
SECCOMP, BY_FILTER = 22, 2


class Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("then", ctypes.c_ubyte),
        ("otherwise", ctypes.c_ubyte),
        ("k", ctypes.c_uint),
    )


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.POINTER(Instruction)))


def filter_of_calls(machine: str, own: int) -> list[tuple[int, int, int, int]]:
    """The program that the kernel runs at each call: what it loads, compares, and gives back.

    A jump counts the instructions that are left out: if it is so, and if it is not. ``own``: the
    process's number, to which alone signals may be sent.
    """
    architecture, clone, clone3, kill, tgkill = CALLS[machine]
    load, equal, any_bit, at_least, give = 0x20, 0x15, 0x45, 0x35, 0x06
    number, which_machine, first_argument = 0, 4, 16
    allowed = (give, 0, 0, 0x7FFF0000)
    refused = (give, 0, 0, 0x00050001)  # EPERM
    unknown = (give, 0, 0, 0x00050026)  # ENOSYS: then threads are made with clone
    killed = (give, 0, 0, 0x80000000)
    calls = REFUSED[machine]
    return [
        (load, 0, 0, which_machine),
        (equal, 1, 0, architecture),
        killed,
        (load, 0, 0, number),
        (at_least, 0, 1, 0x40000000),  # the numbers of another interface
        refused,
        (equal, 0, 1, clone3),
        unknown,
        (equal, 0, 4, clone),
        (load, 0, 0, first_argument),
        (any_bit, 0, 1, CLONE_THREAD),
        allowed,
        refused,
        (equal, 1, 0, kill),
        (equal, 0, 4, tgkill),
        (load, 0, 0, first_argument),
        (equal, 0, 1, own),
        allowed,
        refused,
        *[(equal, len(calls) - place, 0, call) for place, call in enumerate(calls)],
        allowed,
        refused,
    ]


def refuse_calls() -> bool:
    """Ask Linux to refuse these calls from now on. Has it agreed?"""
    if sys.platform != "linux" or platform.machine() not in CALLS:
        return False
    program = filter_of_calls(platform.machine(), os.getpid())
    instructions = (Instruction * len(program))(*[Instruction(*one) for one in program])
    filtered = Program(len(program), instructions)
    prctl = ctypes.CDLL(None).prctl
    if prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(prctl(SECCOMP, BY_FILTER, ctypes.byref(filtered), 0, 0) == 0)


# ------------------------------------------------------------------------------------------ files

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
RIGHTS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 5: 1 << 16}
"""By the version of Landlock: all rights below this bit are known. The newest one counts."""


class Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version_of_landlock() -> int:
    """0: this kernel has none."""
    if sys.platform != "linux":
        return 0
    return max(0, ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1))


def refuse_files(folders: Iterable[str], listed: Iterable[str], files: Iterable[str]) -> bool:
    """Ask Linux that only these are read from now on, and nothing is written. Has it agreed?

    ``folders``: with all that is in them. ``listed``: only the names of what is in them.
    """
    version = version_of_landlock()
    if not version:
        return False
    syscall: Any = ctypes.CDLL(None).syscall
    known = max(bit for first, bit in RIGHTS.items() if first <= version) - 1
    ruleset = Ruleset(known, 0b11 if version >= 4 else 0, 0b11 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = syscall(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    wanted = [(one, READ_FILE | READ_DIR) for one in folders]
    wanted += [(one, READ_DIR) for one in listed]
    wanted += [(one, READ_FILE) for one in files]
    wanted += [(os.devnull, READ_FILE | WRITE_FILE)]
    for path, allowed in wanted:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # there is no such thing, so it need not be read
            continue
        rule = Beneath(allowed, place)
        syscall(ADD_RULE, rules, 1, ctypes.byref(rule), 0)
        os.close(place)
    agreed = ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    agreed = agreed and syscall(RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(agreed)


def of_python(standard: Iterable[str], other: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What Python's own library consists of, as folders and files; ``other`` packages are not."""
    folders: list[str] = []
    files = [one for one in standard if os.path.isfile(one)]  # a zip
    for home in filter(os.path.isdir, standard):
        with os.scandir(home) as entries:
            for one in entries:
                if one.name not in other:
                    (folders if one.is_dir() else files).append(one.path)
    return folders, files


def libraries() -> list[str]:
    """The shared libraries that parts of Python want when they are imported late."""
    homes = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", f"{sys.base_prefix}/lib"]
    homes += glob.glob("/usr/lib/*-linux-gnu*")
    homes += os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    found = {os.path.realpath(one) for home in {*homes} if home for one in shared_in(home)}
    return [*sorted(found), "/etc/ld.so.cache"]


def shared_in(home: str) -> list[str]:
    return [one for one in glob.glob(f"{home}/*.so*") if os.path.isfile(one)]
