import json

from google import genai
from google.genai import types

from trial import KEY, MODEL, PROMPT, SCHEMA, URL, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL))


def ask(**config):
    return client.models.generate_content(model=MODEL, contents=PROMPT, config=types.GenerateContentConfig(**config))


trial(
    w=lambda: has_text(ask().text),
    s=lambda: has_pieces([chunk.text for chunk in client.models.generate_content_stream(model=MODEL, contents=PROMPT)]),
    t=lambda: used_tool(ask(tools=[lookup_ticket]).text),
    o=lambda: has_color(
        json.loads(ask(response_mime_type="application/json", response_json_schema=SCHEMA).text)["color"]
    ),
)
