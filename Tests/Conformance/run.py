#!/usr/bin/env python3
"""Runs Autobahn's cases against Parlour's client and server role, and prints a table by group.

kosoku (Python 3) has groups 1 to 12; group 13 needs autobahntestsuite, which is Python 2.7: PARLOUR_PYTHON2, python2.7
on the path, or pyenv's. Without it group 13 is counted as not run. Fails naming each case that is not OK or INFORMATIONAL.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "conformance"
KOSOKU = "kosoku==0.1.0"
AUTOBAHN = "autobahntestsuite==25.10.1"
GOOD = {"OK", "INFORMATIONAL"}
KOSOKU_GROUPS = [1, 2, 3, 4, 5, 6, 7, 9, 10, 12]
# The cases of each of these groups send a thousand messages, up to 128 KiB each: gigabytes in all.
LONG_GROUPS = {12: 5, 13: 7}
ROLES = ["client", "server"]


def say(sentence):
    print(f"conformance: {sentence}", flush=True)


def call(arguments, limit):
    subprocess.run([str(argument) for argument in arguments], check=True, timeout=limit, stdout=subprocess.DEVNULL)


def works(python, check):
    try:
        return subprocess.run([str(python), "-c", check], capture_output=True, timeout=30).returncode == 0
    except OSError:
        return False


def environment(name, requirement, create):
    """The bin directory of a virtual environment that has the requirement and was made by `create`."""
    folder = WORK / name
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != requirement:
        say(f"installing {requirement} into {folder.relative_to(ROOT)}")
        shutil.rmtree(folder, ignore_errors=True)
        try:
            create(folder)
            call([folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirement.split()], 600)
        except (OSError, subprocess.SubprocessError):
            sys.exit(f"conformance: {requirement} could not be installed: is there a network?")
        stamp.write_text(requirement)
    return folder / "bin"


def python3_environment():
    check = "import sys; sys.exit(sys.version_info < (3, 10))"
    found = next((python for python in [sys.executable, "python3"] if works(python, check)), None)
    if found is None:
        sys.exit("conformance: there is no Python 3.10 or newer, which kosoku needs.")
    # This virtualenv is the last that makes environments for Python 2.7.
    return environment("python3", f"{KOSOKU} virtualenv<20.22", lambda folder: call([found, "-m", "venv", folder], 120))


def python2():
    named = os.environ.get("PARLOUR_PYTHON2")
    pyenv = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/2.7*/bin/python2.7")), reverse=True)
    candidates = [named] if named else pyenv + [shutil.which("python2.7")]
    return next((python for python in candidates if python and works(python, "import sys; sys.exit(sys.version_info[0] != 2)")), None)


def python2_environment(python, tools3):
    return environment("python2", AUTOBAHN, lambda folder: call([tools3 / "virtualenv", "-q", "-p", python, folder], 120))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_listener(port, process, name):
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"{name} ended before it listened")
        # A connection that says nothing might count as a case: the table of sockets is asked instead.
        sockets = pathlib.Path("/proc/net/tcp").read_text()
        if any(f"{address}:{port:04X} 00000000:0000 0A" in sockets for address in ("0100007F", "00000000")):
            return
        time.sleep(0.1)
    raise RuntimeError(f"{name} does not listen")


class Job:
    """One suite against one role, with the cases that fit one of the patterns."""

    def __init__(self, suite, role, patterns, tools, arguments):
        self.suite, self.role, self.patterns = suite, role, patterns
        self.tools, self.peer, self.limit = tools, arguments.peer, arguments.limit * 60
        self.name = f"{suite}-{role}-{'-'.join(pattern.removesuffix('.*') for pattern in patterns)}"
        self.reports = WORK / "reports" / self.name
        self.log = WORK / f"{self.name}.log"

    def start(self, arguments, **options):
        output = open(self.log, "ab")
        return subprocess.Popen([str(argument) for argument in arguments], stdout=output, stderr=output, cwd=WORK, **options)

    def run(self):
        shutil.rmtree(self.reports, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        port = free_port()
        if self.role == "client":
            suite = self.start(self.fuzzer("fuzzingserver", port))
            try:
                await_listener(port, suite, self.suite)
                peer = self.start([self.peer, "client", f"127.0.0.1:{port}"])
                try:
                    peer.wait(self.limit)
                finally:
                    stop(peer)
                # kosoku ends by itself once its reports are written; wstest has written them by now, and stays.
                if self.suite == "kosoku":
                    suite.wait(60)
            finally:
                stop(suite)
        else:
            peer = self.start([self.peer, "server", f"127.0.0.1:{port}"], stdin=subprocess.PIPE)
            try:
                await_listener(port, peer, "the echo peer")
                suite = self.start(self.fuzzer("fuzzingclient", port))
                try:
                    suite.wait(self.limit)
                finally:
                    stop(suite)
            finally:
                stop(peer)
        return self

    def fuzzer(self, mode, port):
        cases = self.patterns
        url = f"ws://127.0.0.1:{port}"
        if self.suite == "kosoku":
            place = f"127.0.0.1:{port}" if mode == "fuzzingserver" else url
            includes = [word for case in cases for word in ("-i", case)]
            return [self.tools / "kosoku", "-m", mode, place, "-o", self.reports, *includes]
        spec = {"outdir": str(self.reports), "cases": cases, "exclude-cases": [], "exclude-agent-cases": {}}
        if mode == "fuzzingserver":
            spec["url"] = url
        else:
            spec |= {"servers": [{"agent": "parlour", "url": url}]}
        file = WORK / f"{self.name}.json"
        file.write_text(json.dumps(spec))
        return [self.tools / "wstest", "-m", mode, "-s", file, "-w", "", "-u", "0"]

    def results(self):
        """Case → (behaviour, behaviour of the close, milliseconds)."""
        index = self.reports / "index.json"
        if not index.exists():
            return {}
        agents = json.loads(index.read_text())
        cases = next(iter(agents.values()), {})
        return {case: (result["behavior"], result["behaviorClose"], result["duration"]) for case, result in cases.items()}


def stop(process):
    if process.stdin:
        process.stdin.close()
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def case_key(case):
    return [int(part) for part in case.split(".")]


def patterns_of(group, quick):
    """A long group's cases, a job for each part of it; the quick way leaves out the large messages."""
    for part in range(1, LONG_GROUPS[group] + 1):
        yield [f"{group}.{part}.{case}" for case in range(1, 4)] if quick else [f"{group}.{part}.*"]


def table(role, results, not_run):
    groups = collections.defaultdict(list)
    for case, result in results.items():
        groups[int(case.split(".")[0])].append(result)
    print(f"\n{role}\n  group   cases      OK  INFORMATIONAL  other   seconds")
    for group in sorted(groups):
        found = collections.Counter(worst(result) for result in groups[group])
        others = sum(count for word, count in found.items() if word not in GOOD)
        seconds = sum(result[2] for result in groups[group]) / 1000
        print(f"  {group:5}  {len(groups[group]):6}  {found['OK']:6}  {found['INFORMATIONAL']:13}  {others:5}  {seconds:8.1f}")
    for group in not_run:
        print(f"  {group:5}  not run")


def worst(result):
    return next((word for word in result[:2] if word not in GOOD), result[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", default=str(ROOT / ".build" / "release" / "echo-peer"), help="the built echo-peer")
    parser.add_argument("--role", choices=ROLES, action="append", help="only this role")
    parser.add_argument("--group", type=int, action="append", help="only this group of cases; repeatable")
    parser.add_argument("--quick", action="store_true", help="of groups 12 and 13 only the first three cases of each part")
    parser.add_argument("--prepare", action="store_true", help="only install the suites; fails where they cannot be had")
    parser.add_argument("--limit", type=int, default=20, help="minutes that a suite may take (20)")
    arguments = parser.parse_args()
    roles = arguments.role or ROLES
    wanted = arguments.group or KOSOKU_GROUPS + [13]
    WORK.mkdir(parents=True, exist_ok=True)

    tools3 = python3_environment()
    if arguments.prepare:
        python = python2()
        return 0 if not python or python2_environment(python, tools3) else 1
    # The long groups side by side; the rest, whose time is looked at, alone and before them.
    long = [("kosoku", patterns, tools3) for patterns in patterns_of(12, arguments.quick)] if 12 in wanted else []
    not_run = []
    if 13 in wanted:
        python = python2()
        if python:
            tools2 = python2_environment(python, tools3)
            long += [("wstest", patterns, tools2) for patterns in patterns_of(13, arguments.quick)]
        else:
            say("there is no Python 2.7 (PARLOUR_PYTHON2, python2.7, pyenv): group 13 is not run.")
            not_run = [13]
    short = [group for group in KOSOKU_GROUPS if group in wanted and group != 12]

    faults = []
    results = {role: {} for role in roles}

    def take(job):
        found = job.results()
        missing = [pattern for pattern in job.patterns if not any(fnmatch.fnmatchcase(case, pattern) for case in found)]
        faults.extend(f"{job.role}: {job.suite} gave no result for {pattern}, see {job.log}" for pattern in missing)
        results[job.role].update(found)

    if short:
        for role in roles:
            take(Job("kosoku", role, [f"{group}.*" for group in short], tools3, arguments).run())
    jobs = [Job(suite, role, patterns, tools, arguments) for suite, patterns, tools in long for role in roles]
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1)) as pool:
        for job, future in [(job, pool.submit(job.run)) for job in jobs]:
            try:
                future.result()
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                faults.append(f"{job.role}: {job.suite} did not end, {error}")
            take(job)

    for role in roles:
        table(role, results[role], not_run)
        for case in sorted(results[role], key=case_key):
            result = results[role][case]
            if not GOOD.issuperset(result[:2]):
                faults.append(f"{role}: case {case} is {result[0]}, its close {result[1]}")
    print()
    for fault in faults:
        say(fault)
    total = sum(len(found) for found in results.values())
    say(f"{total} cases, {len(faults)} faults" + (", group 13 not run" if not_run else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
