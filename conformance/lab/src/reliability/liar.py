"""A program that lies: `liar.py WHEN LIE`. Except for one lie, it answers bytes.encode of uint8 as the vectors expect.

WHEN is `start` (before anything is read), `hello` (instead of that answer), `case` (instead of the answer to the
culprit, the case of 17 elements), `cases` (instead of every answer), `after` (after the answer to the culprit) or `end`
(when the input has ended).
"""

import json
import mmap
import os
import signal
import sys
import time

CULPRIT = 17
COLOURS = "\x1b[2J\x1b]0;owned\x07\u202e\ufffe\nreference  1  100 %\r"


def say(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    while data:
        data = data[os.write(1, data):]


def line(value):
    say(json.dumps(value) + "\n")


def hello(id, **other):
    line({"id": id, "ok": {"protocol": 1, "name": "liar", "version": "1", "language": "python",
                           "operations": {"bytes.encode": {}}} | other})


def honest(request):
    if request["op"] == "hello":
        hello(request["id"])
    else:
        line({"id": request["id"], "ok": {"bytes": request["input"]["data"]}})


def hang():
    while True:
        time.sleep(3600)


def fork(child):
    """Runs a function in a child, which then ends."""
    pid = os.fork()
    if pid == 0:
        child()
        os._exit(0)
    return pid


def detached():
    os.setsid()
    fork(hang)


def touch(mebibytes, shared):
    if shared:
        memory = mmap.mmap(-1, mebibytes << 20)
    else:
        memory = bytearray(mebibytes << 20)
    for at in range(0, len(memory), 4096):
        memory[at] = 1
    return memory


def store(file, mebibytes=1024):
    """Writes a file that the system keeps in memory, without mapping it."""
    for _ in range(mebibytes):
        os.write(file, bytes(1 << 20))


def named():
    """Returns a file in /dev/shm whose name has been removed."""
    path = f"/dev/shm/exactum-liar-{os.getpid()}"
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR)
    os.unlink(path)
    return file


def chase(left=400):
    """Lets every child fork the next one and end, so that a search finds only the previous one."""
    while left and os.fork() == 0:
        left -= 1
        time.sleep(0.01)
    os._exit(0)


def hidden():
    """Starts a process without an environment, in another session."""
    if os.fork() == 0:
        os.setsid()
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)"], {})


def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    hang()


def forever(data, pause=0.0):
    while True:
        say(data)
        time.sleep(pause)


def errors(data):
    while True:
        os.write(2, data)


def spin():
    while True:
        pass


# The misdeeds, which are possible at any time.
DEEDS = {
    "exits with 0": lambda: os._exit(0),
    "exits with 3": lambda: os._exit(3),
    "aborts": os.abort,
    "faults": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "kills itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "stops itself": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hangs": hang,
    "spins": spin,
    "ignores signals and hangs": deaf,
    "makes a session and hangs": lambda: (fork(lambda: (os.setsid(), hang())), hang()),
    "joins the group of the runner and hangs": lambda: (os.setpgid(0, os.getpgid(os.getppid())), hang()),
    "leaves a child that holds its pipes": lambda: (fork(hang), os._exit(0)),
    "leaves a child in a session of its own": lambda: (fork(detached), os._exit(0)),
    "leaves a child without environment": lambda: (hidden(), hang()),
    "starts 60 children and hangs": lambda: ([fork(hang) for _ in range(60)], hang()),
    "forks from child to child": lambda: (fork(chase), hang()),
    "takes 1 GiB": lambda: (touch(1024, False), hang()),
    "takes 1 GiB of shared memory": lambda: (touch(1024, True), hang()),
    "writes 1 GiB to a memfd": lambda: (store(os.memfd_create("lie")), hang()),
    "writes 1 GiB to /dev/shm": lambda: (store(named()), hang()),
    "takes 100 MiB in each of 8 children": lambda: (
        [fork(lambda: (touch(100, False), hang())) for _ in range(8)], hang()),
    "closes stdin and hangs": lambda: (os.close(0), hang()),
    "closes stdout and hangs": lambda: (os.close(1), hang()),
    "closes all and hangs": lambda: (os.closerange(0, 256), hang()),
    "writes a line without end": lambda: forever(b"x" * 65536),
    "writes lines without end": lambda: forever(b"x\n" * 32768),
    "writes empty lines without end": lambda: forever(b"\n" * 65536),
    "drips": lambda: forever(b" ", 0.05),
    "fills stderr": lambda: errors(b"x" * 65536),
    "colours stderr and exits": lambda: (os.write(2, COLOURS.encode("utf-8")), os._exit(1)),
    "writes noise": lambda: say("converting ...\n"),
    "writes bytes that are not text": lambda: say(b"\xff\xfe\x00\x80\n"),
    "writes NULs": lambda: say(b"\0" * 100 + b"\n"),
}


def output(id, **members):
    line({"id": id, "ok": members})


# The lines sent instead of an answer.
WORDS = {
    "another id": lambda id, data: output("x" + id, bytes=data),
    "an id that is a number": lambda id, data: output(int(id), bytes=data),
    "no id": lambda id, data: line({"ok": {"bytes": data}}),
    "nothing of substance": lambda id, data: line({"id": id}),
    "two kinds of answer": lambda id, data: line({"id": id, "ok": {"bytes": data}, "reject": {"reason": "shape"}}),
    "a repeated member": lambda id, data: say('{"id":"%s","id":"%s","ok":{"bytes":"%s"}}\n' % (id, id, data)),
    "a repeated member below": lambda id, data: say('{"id":"%s","ok":{"bytes":"00","bytes":"%s"}}\n' % (id, data)),
    "two answers": lambda id, data: [output(id, bytes=data) for _ in range(2)],
    "two answers on a line": lambda id, data: say('{"id":"%s","ok":{"bytes":"%s"}} {}\n' % (id, data)),
    "half an answer": lambda id, data: (say('{"id":"%s","ok":' % id), os._exit(0)),
    "a list": lambda id, data: line([id, data]),
    "a number of a million digits": lambda id, data: say('{"id":"%s","ok":{"bytes":"%s"},"x":%s}\n'
                                                         % (id, data, "9" * 1000000)),
    "a list of 100000 levels": lambda id, data: say('{"id":"%s","ok":{"bytes":"%s"},"x":%s}\n'
                                                    % (id, data, "[" * 100000 + "]" * 100000)),
    "unknown members of 900 kB": lambda id, data: output(id, bytes=data, x=[{"": 0}] * 100000),
    "an answer of 200 MB": lambda id, data: (say('{"id":"%s","ok":{"bytes":"' % id),
                                             [say("00" * 100000) for _ in range(1000)], say('"}}\n')),
    "an error of 500 kB": lambda id, data: line({"id": id, "error": {"message": "no! " * 125000}}),
    "colours in an error": lambda id, data: line({"id": id, "error": {"message": COLOURS * 100}}),
    "colours in a reason": lambda id, data: line({"id": id, "reject": {"reason": COLOURS, "message": COLOURS}}),
    "a rejection": lambda id, data: line({"id": id, "reject": {"reason": "shape", "message": "no"}}),
    "that it is unsupported": lambda id, data: line({"id": id, "unsupported": {"message": "no"}}),
    "a byte less": lambda id, data: output(id, bytes=data[2:]),
    "a byte more": lambda id, data: output(id, bytes=data + "00"),
    "half a byte": lambda id, data: output(id, bytes=data[1:]),
    "another byte": lambda id, data: output(id, bytes="00" + data[2:]),
    "no hex": lambda id, data: output(id, bytes="xy" + data[2:]),
    "null": lambda id, data: output(id, bytes=None),
    "an array": lambda id, data: output(id, output={"data_type": "uint8", "shape": [1 << 62], "data": ""}),
}

# The wrong introductions.
NAMES = {
    "no version": lambda id: line({"id": id, "ok": {"protocol": 1, "name": "liar"}}),
    "another protocol": lambda id: hello(id, protocol=2),
    "a name that forges a row": lambda id: hello(id, name=COLOURS, version=COLOURS, language=COLOURS),
    "a name of 900 kB": lambda id: hello(id, name="liar" * 225000),
    "a version that is a list": lambda id: hello(id, version=[1]),
    "an operation that there is not": lambda id: hello(id, operations={"bytes.encodes": {}}),
    "another restriction": lambda id: hello(id, operations={"bytes.encode": {"form": ["uint8"]}}),
    "no operation": lambda id: hello(id, operations={}),
    "another name each time": lambda id: hello(id, name="liar%d" % os.getpid()),
    "60000 operations": lambda id: hello(id, operations={"op%d" % n: {} for n in range(60000)}),
}


def main(when, lie):
    def is_culprit(request):
        return request["op"] != "hello" and len(request["input"]["data"]) == 2 * CULPRIT

    if when == "start":
        DEEDS[lie]()
    for text in sys.stdin:
        request = json.loads(text)
        if when == "hello" and request["op"] == "hello":
            NAMES[lie](request["id"])
        elif lie == "another name each time" and is_culprit(request):
            os._exit(0)
        elif request["op"] != "hello" and when == "cases" or when == "case" and is_culprit(request):
            if lie in WORDS:
                WORDS[lie](request["id"], request["input"]["data"])
            else:
                DEEDS[lie]()
        else:
            honest(request)
            if when == "after" and is_culprit(request):
                DEEDS[lie]()
    if when == "end":
        DEEDS[lie]()


if sys.argv[1:] == ["--list"]:
    # A line for each moment and lie. A misdeed that ends the program quickly is not a lie at the end.
    for lie in DEEDS:
        print("start", lie, sep="\t")
        print("case", lie, sep="\t")
    for lie in NAMES:
        print("hello", lie, sep="\t")
    for lie in WORDS:
        print("case", lie, sep="\t")
    for lie in ("unknown members of 900 kB", "an error of 500 kB", "colours in an error", "another byte"):
        print("cases", lie, sep="\t")
    for lie in ("aborts", "hangs", "writes noise", "leaves a child in a session of its own", "fills stderr"):
        print("after", lie, sep="\t")
    for lie in ("hangs", "ignores signals and hangs", "leaves a child in a session of its own",
                "writes lines without end"):
        print("end", lie, sep="\t")
    print("never", "does not lie", sep="\t")
else:
    main(*sys.argv[1:3])
