# SPDX-License-Identifier: Apache-2.0
"""
The Model Context Protocol over standard input and output, spoken by hand: what is sent and expected is
JSON-RPC 2.0 (jsonrpc.org/specification) and MCP's revisions 2024-11-05, 2025-03-26 and 2025-06-18.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import jsonschema
import numpy as np
import pytest
from support import cli, env

WAVE = str(env.SOURCE / "examples/wave")
PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602

#: A response has one of the two, and what was asked for: JSON-RPC, 5.
RESPONSE = {
    "type": "object",
    "required": ["jsonrpc", "id"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer", "null"]},
        "result": {"type": "object"},
        "error": {
            "required": ["code", "message"],
            "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
        },
    },
    "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
    "additionalProperties": False,
}
CALLED = {
    "required": ["content", "isError"],
    "properties": {
        "content": {
            "type": "array",
            "minItems": 1,
            "items": {
                "required": ["type", "text"],
                "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
            },
        },
        "isError": {"type": "boolean"},
    },
}
is_response = jsonschema.Draft202012Validator(RESPONSE)
is_called = jsonschema.Draft202012Validator(CALLED)


def request(method, params=None, id=1):
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    return message | ({"params": params} if params is not None else {})


def check(line):
    """One line of the server: UTF-8, one JSON object, nothing else."""
    answer = json.loads(line.decode("utf-8"))
    for one in answer if isinstance(answer, list) else [answer]:
        is_response.validate(one)
    return answer


def talk(*lines, cwd=None, **options):
    """All that a server answers to these lines, objects or bytes; it ends by itself, and silently."""
    sent = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    with cli.start("mcp", stdin=subprocess.PIPE, cwd=cwd, **options) as process:
        try:
            out, err = process.communicate(sent, timeout=30)
        finally:
            process.kill()  # if it is still there
    assert (process.returncode, err) == (0, b""), err
    assert out == b"" or out.endswith(b"\n")
    return [check(line) for line in out.splitlines()]


def call(tool, _cwd=None, **arguments):
    """The texts of a call, and whether it failed."""
    (answer,) = talk(request("tools/call", {"name": tool, "arguments": arguments}), cwd=_cwd)
    is_called.validate(answer["result"])
    result = answer["result"]
    return [item["text"] for item in result["content"]], result["isError"]


def refused(*lines):
    return [(answer["id"], answer["error"]["code"]) for answer in talk(*lines)]


# ---- the protocol --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "agreed"),
    [(v, v) for v in ("2024-11-05", "2025-03-26", "2025-06-18")]
    + [("2099-01-01", "2025-06-18"), ("", "2025-06-18")],
)
def test_versions_are_agreed_upon(wanted, agreed):
    client = {"capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    told, pong = talk(
        request("initialize", {"protocolVersion": wanted} | client, id="a"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("ping", id=2**53),
    )
    assert told["id"] == "a" and told["result"]["protocolVersion"] == agreed
    assert told["result"]["capabilities"] == {"tools": {}}
    version = cli.ok("--version").out.split()[1]
    assert told["result"]["serverInfo"] == {"name": "muster", "version": version}
    assert (pong["id"], pong["result"]) == (2**53, {})


def test_notifications_and_answers_get_no_answer():
    """Of whatever method: not even a tool is run. A cancellation of what does not run is ignored."""
    answers = talk(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "nothing/of/the/kind"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "assess"}},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
        {"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "no"}},
        b"\n \t\r\n",
        request("ping", id=6),
    )
    assert [answer["id"] for answer in answers] == [6]


BAD = [
    (b"{\n", None, PARSE),
    (b"nonsense\n", None, PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x\n', None, PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"p\xffng"}\n', None, PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}\n', None, PARSE),
    (b'\x00{"jsonrpc":"2.0","id":1,"method":"ping"}\n', None, PARSE),
    (b"[" * 100_000 + b"\n", None, PARSE),
    (b"1\n", None, REQUEST),
    (b'"ping"\n', None, REQUEST),
    (b"null\n", None, REQUEST),
    ({"id": 1, "method": "ping"}, 1, REQUEST),
    ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, 1, REQUEST),
    ({"jsonrpc": 2.0, "id": 1, "method": "ping"}, 1, REQUEST),
    ({"jsonrpc": "2.0", "id": 1}, 1, REQUEST),
    ({"jsonrpc": "2.0", "id": 1, "method": 1}, 1, REQUEST),
    *(
        ({"jsonrpc": "2.0", "id": id, "method": "ping"}, None, REQUEST)
        for id in (None, 1.5, [], {}, True)
    ),
    (request("nothing"), 1, METHOD),
    (request("ping\0"), 1, METHOD),
    (request("resources/list", id="x"), "x", METHOD),
    (request("ping", []), 1, PARAMS),
    (request("ping", "x"), 1, PARAMS),
    (request("initialize"), 1, PARAMS),
    (request("initialize", {"protocolVersion": 1}), 1, PARAMS),
    (request("tools/list", {"cursor": "next"}), 1, PARAMS),
    (request("tools/call"), 1, PARAMS),
    (request("tools/call", {"name": 1}), 1, PARAMS),
    (request("tools/call", {"name": "load"}), 1, PARAMS),
    (request("tools/call", {"name": "assess\0"}), 1, PARAMS),
    (request("tools/call", {"name": "é" * 5000}), 1, PARAMS),
]


def test_bad_messages_are_answered_and_end_nothing():
    """All in one session: each of them leaves the server as it was."""
    got = refused(*(message for message, _, _ in BAD))
    assert got == [(id, code) for _, id, code in BAD]


def initialized(version):
    return request("initialize", {"protocolVersion": version}, id=0)


def test_batches_are_of_one_version_only():
    batch = [request("ping", id=1), {"jsonrpc": "2.0", "method": "x"}, 7, request("nothing", id=2)]
    for version in ("2024-11-05", "2025-06-18"):
        assert talk(initialized(version), batch)[1]["error"]["code"] == REQUEST
    assert refused(batch, []) == [(None, REQUEST)] * 2
    _, answers, empty, alone = talk(
        initialized("2025-03-26"),
        batch,
        [],
        [{"jsonrpc": "2.0", "method": "x"}],
        [initialized("2025-06-18")],
    )
    assert [(a["id"], a.get("error", {}).get("code")) for a in answers] == [
        (1, None),
        (None, REQUEST),
        (2, METHOD),
    ]
    assert empty["error"]["code"] == REQUEST
    assert [a["error"]["code"] for a in alone] == [REQUEST]


def test_too_long_a_line_is_refused():
    limit = 16 << 20
    ping = json.dumps(request("ping", id=3)).encode()
    fits, over, after = talk(
        ping.ljust(limit) + b"\n", ping.ljust(limit + 1) + b"\n", request("ping", id=4)
    )
    assert fits == {"jsonrpc": "2.0", "id": 3, "result": {}}
    assert (over["id"], over["error"]["code"]) == (None, REQUEST)
    assert str(limit) in over["error"]["message"]
    assert after["id"] == 4


def test_the_last_line_may_lack_its_end():
    assert [a["id"] for a in talk(json.dumps(request("ping", id=9)).encode())] == [9]
    assert refused(b'{"jsonrpc"') == [(None, PARSE)]
    assert talk() == []


def test_a_command_line_has_nothing_more():
    assert "one argument too many" in cli.fails(2, "mcp", "x").err
    folder = os.open("/", os.O_RDONLY)
    assert "muster: standard input: cannot read" in cli.fails(1, "mcp", stdin=folder).err
    os.close(folder)


# ---- the tools -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tools():
    (answer,) = talk(request("tools/list"))
    return {tool["name"]: tool for tool in answer["result"]["tools"]}


def test_tools_are_described(tools):
    assert list(tools) == ["assess", "explain_rule", "explain_line", "inspect", "plan"]
    needed = {name: tool["inputSchema"]["required"] for name, tool in tools.items()}
    assert needed == {
        "assess": ["paths"],
        "explain_rule": ["id"],
        "explain_line": ["paths", "line"],
        "inspect": ["paths"],
        "plan": ["paths", "procs"],
    }
    for tool in tools.values():
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object" and not schema["additionalProperties"]
        assert set(schema["required"]) <= set(schema["properties"])
        assert all(len(p["description"]) > 5 for p in schema["properties"].values())
        assert tool["annotations"]["readOnlyHint"] is True and len(tool["description"]) > 40


#: An argument of each type, and values that are not.
TYPES = {
    "string": ("x", [1, None, ["x"], {}, True, "a\0b"]),
    "integer": (1, ["1", -1, 1.5, None, [1], True]),
    "boolean": (True, ["true", 1, None]),
    "array": (["x"], ["x", [], [1], [["x"]], None, {}, ["x", "a\0b"]]),
}


def test_arguments_of_wrong_types_are_refused(tools):
    """What the schema refuses, the server does; and it says which argument is wrong."""
    sent, names = [], []
    for name, tool in tools.items():
        properties = tool["inputSchema"]["properties"]
        right = {n: TYPES[properties[n]["type"]][0] for n in tool["inputSchema"]["required"]}
        for missing in right:
            sent.append({k: v for k, v in right.items() if k != missing})
            names.append((name, missing))
        for n, p in properties.items():
            for wrong in TYPES[p["type"]][1]:
                sent.append(right | {n: wrong})
                names.append((name, n))
        for unknown in ("output", "explain", "format " if name == "plan" else "threads", ""):
            sent.append(right | {unknown: "x"})
            names.append((name, unknown))
    sent += [[], "x", 1]
    names += [("assess", "the arguments")] * 3
    calls = [request("tools/call", {"name": n[0], "arguments": a}) for n, a in zip(names, sent)]
    for (_, argument), answer in zip(names, talk(*calls), strict=True):
        assert answer["error"]["code"] == PARAMS
        assert argument in answer["error"]["message"]


def test_answers_are_those_of_the_commands():
    """Several calls in one session, sent at once; each is what the command prints."""
    line = f"{WAVE}/solver.py:25"
    commands = [
        (
            ["assess", "--format=agent", "--gpus=8", "--elements=2G", WAVE],
            "assess",
            {"gpus": 8, "elements": "2G"},
        ),
        (["explain", "gate 2"], "explain_rule", {"id": "gate 2"}),
        (["assess", "--format=text", f"--explain={line}", WAVE], "explain_line", {"line": line}),
        (["inspect", "null:10x2"], "inspect", {"paths": ["null:10x2"]}),
        (["plan", "null:10x2", "--procs=3"], "plan", {"paths": ["null:10x2"], "procs": 3}),
    ]
    calls = []
    for id, (_, tool, arguments) in enumerate(commands):
        paths = {} if tool == "explain_rule" else {"paths": [WAVE]}
        calls.append(request("tools/call", {"name": tool, "arguments": paths | arguments}, id=id))
    for id, (answer, (command, _, _)) in enumerate(zip(talk(*calls), commands, strict=True)):
        is_called.validate(answer["result"])
        assert answer["id"] == id and not answer["result"]["isError"]
        assert answer["result"]["content"][0]["text"] == cli.ok(*command).out


def test_options_of_assess_reach_it(tmp_path):
    (tmp_path / "muster.toml").write_text('fail-on = "light"\ngpus = 2\n')
    (tmp_path / "a.py").write_text("import numpy as np\na = np.zeros(10)\n")
    options = {"nodes": 3, "gpu_model": "H100", "cuda": 12, "os": "wsl2", "pattern": "stencil"}
    (text, *_), failed = call("assess", tmp_path, paths=["a.py"], elements="16M", **options)
    (context,) = [line for line in text.splitlines() if line.startswith("context: ")]
    for part in ("GPUs: 2 on each node (configured);", "nodes: 3;", "H100", "CUDA: 12;", "WSL2", "stencil"):
        assert part in context
    (text, *_), failed = call("assess", tmp_path, paths=["a.py"], isolated=True, cpu_only=True)
    assert "GPUs: 2" not in text and not failed


def test_lists_of_rules_reach_assess():
    texts = {
        key: call("assess", paths=[WAVE], **{key: ["R101", "R104"]})[0][0]
        for key in ("rule", "ignore")
    }
    listed = {
        key: {w for w in ("R101", "R104", "R201") if f" {w} cost" in t} for key, t in texts.items()
    }
    assert listed == {"rule": {"R101", "R104"}, "ignore": {"R201"}}


def test_a_bad_verdict_is_no_failure(tmp_path):
    """fail-on of a configuration makes the status 1; there is a report all the same."""
    shutil.copytree(WAVE, tmp_path / "wave")
    (tmp_path / "muster.toml").write_text('fail-on = "light"\n')
    assert cli.run("assess", "wave", "--format=agent", cwd=tmp_path).status == 1
    (text, *_), failed = call("assess", tmp_path, paths=["wave"])
    assert text.startswith("muster.agent/1\nverdict: SIGNIFICANT") and not failed
    assert call("explain_line", tmp_path, paths=["wave"], line="wave/solver.py:25")[1] is False


def test_options_of_data_reach_inspect_and_plan(tmp_path):
    """Three rows of (2, 3) int16 behind a header of 8 bytes: 8 + 3 * 12."""
    (tmp_path / "a.bin").write_bytes(bytes(8 + 3 * 12))
    raw = {"format": "raw", "source_dtype": "<i2", "row_shape": "2,3", "header_bytes": 8}
    (text,), failed = call("inspect", tmp_path, paths=["a.bin"], dtype="float64", rows="1:", **raw)
    assert "(2, 2, 3)" in text and "float64, from int16" in text and not failed
    (text, *_), failed = call("plan", tmp_path, paths=["a.bin"], procs=2, tile_rows=1, **raw)
    assert "3 tiles for 2 processors" in text and not failed
    np.save(tmp_path / "s_0.npy", np.zeros(3))
    np.save(tmp_path / "s_2.npy", np.zeros(3))
    (text,), failed = call("inspect", tmp_path, paths=["s_*.npy"])
    assert "missing in the numbers" in text and failed
    (text, *_), failed = call("inspect", tmp_path, paths=["s_*.npy"], allow_gaps=True, stack=True)
    assert "(2, 3)" in text and not failed


def test_failures_of_commands_are_told_as_text(tmp_path):
    """What stderr says of it; the protocol knows of no error."""
    for tool, arguments in {
        "assess": {"paths": ["absent.py"]},
        "inspect": {"paths": ["absent"]},
        "plan": {"paths": ["null:10x2"], "procs": 0},
        "explain_rule": {"id": "R999"},
        "explain_line": {"paths": ["absent.py"], "line": "absent.py:1"},
    }.items():
        (text,), failed = call(tool, tmp_path, **arguments)
        assert failed and text.startswith("muster"), (tool, text)


def test_notes_come_behind_the_report(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros(3))
    (tmp_path / "README.md").write_text("text\n")
    (text, note), failed = call("inspect", tmp_path, paths=["."])
    assert text.startswith("format ") and "README.md" in note and not failed


HOSTILE = [
    "--help",
    "-o",
    "--output=made",
    "--format=json",
    "--",
    "-",
    "$(touch made)",
    "`touch made`",
    "; touch made",
    "| touch made",
    "> made",
    "a\nb",
    "\x1b[31m",
    "\u202e",
    "",
    " ",
    "/dev/null/x",
    "x" * 200_000,
    "../" * 3000,
]


def test_hostile_paths_are_paths(tmp_path):
    """No option, no shell, no standard input: files that are not there."""
    for tool in ("assess", "inspect"):
        calls = [
            request("tools/call", {"name": tool, "arguments": {"paths": [p]}}) for p in HOSTILE
        ]
        for path, answer in zip(HOSTILE, talk(*calls, cwd=tmp_path), strict=True):
            if path == "-":
                assert answer["error"]["code"] == PARAMS
                continue
            assert answer["result"]["isError"], path
            text = answer["result"]["content"][-1]["text"]
            assert text.startswith("muster") and "\x1b" not in text and "\u202e" not in text
    assert os.listdir(tmp_path) == []


def test_commands_cannot_read_what_the_client_sends(tmp_path):
    """Their standard input is empty, and no file."""
    call = {"name": "assess", "arguments": {"paths": ["/dev/stdin"]}}
    (tmp_path / "sent").write_text(json.dumps(request("tools/call", call)) + "\n")
    with open(tmp_path / "sent") as sent:
        answer = check(cli.ok("mcp", stdin=sent).out.encode())
    assert answer["result"]["isError"]
    assert "/dev/stdin: not assessed: not a regular file" in answer["result"]["content"][0]["text"]


def test_names_like_options_are_read(tmp_path):
    (tmp_path / "--json.py").write_text("import numpy as np\na = np.zeros(10)\n")
    (text, *_), failed = call("assess", tmp_path, paths=["--json.py"])
    assert "files: 1 assessed" in text and not failed


def test_names_that_are_no_utf_8_leave_the_answer_utf_8(tmp_path):
    (pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.py"))).write_text(
        "import numpy as np\na = np.zeros(10)\nfor i in range(10):\n    a[i] = 0\n"
    )
    (text, *_), failed = call("assess", tmp_path, paths=["."])
    assert "files: 1 assessed" in text and ".py" in text and not failed


def test_long_texts_are_cut():
    whole = cli.ok("plan", "null:150000", "--procs=150000").out
    limit = 4 << 20
    assert len(whole) > limit
    (text, note), failed = call("plan", paths=["null:150000"], procs=150000)
    assert text == whole[:limit] and not failed
    assert "cut" in note and str(limit) in note


# ---- processes -----------------------------------------------------------------------------------


def test_clients_that_ignore_the_end_of_children_are_served():
    """The server inherits that, and the system then tells nobody how a process ended."""
    ignore = {"preexec_fn": lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)}
    (answer,) = talk(
        request("tools/call", {"name": "explain_rule", "arguments": {"id": "R104"}}), **ignore
    )
    assert answer["result"]["isError"] is False


def say(process, *lines):
    for line in lines:
        process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
    process.stdin.flush()


@pytest.fixture
def stuck(tmp_path):
    """A server within a call that does not end: `git` is a program that sleeps."""
    (tmp_path / "git").write_text("#!/bin/sh\necho $$ > pid.new && mv pid.new pid\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    (tmp_path / "a.py").write_text("import numpy as np\n")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    process = cli.start("mcp", stdin=subprocess.PIPE, cwd=tmp_path, env=environment)
    arguments = {"paths": ["a.py"], "diff_base": "HEAD"}
    message = request("tools/call", {"name": "assess", "arguments": arguments})
    say(process, message)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    yield process, int((tmp_path / "pid").read_text())
    process.kill()
    process.communicate()


def is_gone(pid):
    deadline = time.monotonic() + 20
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.01)
    return not os.path.exists(f"/proc/{pid}")


def cancellation(id):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}


@pytest.mark.parametrize(
    "lines",
    [
        [cancellation(1)],
        [json.dumps(cancellation(1)).encode().replace(b"/", b"\\/") + b"\r\n"],  # as PHP escapes it
        [[cancellation(1)]],
        [cancellation(2), cancellation("1"), b"{ cancelled\n", b" " * (1 << 20) + b"\n", cancellation(1)],
    ],
    ids=["alone", "escaped", "batch", "behind others"],
)
def test_a_cancelled_call_ends_and_gets_no_answer(stuck, lines):
    """What comes before and behind the cancellation is answered afterwards, in its order."""
    process, pid = stuck
    say(process, request("ping", id=7), *lines)
    assert is_gone(pid)
    say(process, request("ping", id=8))
    out, err = process.communicate(timeout=30)
    ids = [answer["id"] for answer in map(check, out.splitlines()) if answer["id"] is not None]
    assert (process.returncode, ids, err) == (0, [7, 8], b"")


def test_what_is_no_cancellation_of_it_leaves_a_call_alone(stuck):
    process, pid = stuck
    other = cancellation(1) | {"method": "notifications/progress"}
    say(process, cancellation(2), cancellation("1"), cancellation(None), other, b"cancelled\n")
    say(process, {"jsonrpc": "2.0", "method": "notifications/cancelled"})
    time.sleep(0.3)
    assert os.path.exists(f"/proc/{pid}")
    os.kill(pid, signal.SIGKILL)
    answers = [check(line) for line in process.communicate(timeout=30)[0].splitlines()]
    assert [answer["id"] for answer in answers] == [1, None]  # the second is no JSON


def test_a_cancellation_in_one_piece_with_its_call():
    """And a call that has the same id later is another one."""
    explain = request("tools/call", {"name": "explain_rule", "arguments": {"id": "R104"}}, id="x")
    answers = talk(explain, cancellation("x"), request("ping"), explain)
    assert [answer["id"] for answer in answers] == [1, "x"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_the_command(stuck, number):
    process, pid = stuck
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (-number, b"", b"")
    assert is_gone(pid)


def test_a_signal_between_two_calls_ends_the_server():
    with cli.start("mcp", stdin=subprocess.PIPE) as process:
        say(process, request("ping"))
        assert check(process.stdout.readline())["result"] == {}
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == -signal.SIGTERM


def test_a_client_that_is_gone_ends_the_server():
    with cli.start("mcp", stdin=subprocess.PIPE) as process:
        process.stdout.close()
        say(process, request("ping"))
        assert process.wait(timeout=30) == -signal.SIGPIPE
