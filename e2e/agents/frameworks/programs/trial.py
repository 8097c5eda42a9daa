"""What each program tries: an answer in one piece, a stream, a tool, and an object of a schema. Prints what works."""

import asyncio
import inspect
import os
import sys
import traceback

URL, KEY, MODEL = (os.environ[name] for name in ("URL", "KEY", "MODEL"))
VARIANT = sys.argv[1] if len(sys.argv) > 1 else ""
PROMPT = "What is the color of ticket 7? Use your tool."
SCHEMA = {
    "type": "object",
    "properties": {"color": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["color", "number"],
    "additionalProperties": False,
}
PARAMETERS = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}

looked_up = []


def lookup_ticket(id: str) -> str:
    """Looks up a ticket by its number."""
    looked_up.append(id)
    return f"Ticket {id} is amber"


def has_text(text):
    assert isinstance(text, str) and text.strip(), f"no text: {text!r}"


def has_pieces(pieces):
    texts = [piece for piece in pieces if piece]
    assert len(texts) > 1, f"no stream: {texts!r}"


def used_tool(text):
    assert looked_up, "the tool was not called"
    has_text(text)


def has_color(color):
    assert isinstance(color, str), f"no object: {color!r}"


def trial(**aspects):
    """Runs w, s, t and o; each may be a coroutine function."""
    for name, attempt in aspects.items():
        try:
            result = attempt()
            if inspect.isawaitable(result):
                asyncio.run(wait_for(result))
            print(f"works: {name}", flush=True)
        except Exception:
            print(f"fails: {name}", flush=True)
            traceback.print_exc()


async def wait_for(awaitable):
    return await awaitable
