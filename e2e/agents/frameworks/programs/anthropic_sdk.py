import json

from anthropic import Anthropic

from trial import KEY, MODEL, PARAMETERS, PROMPT, SCHEMA, URL, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

client = Anthropic(base_url=URL, api_key=KEY, max_retries=0)
user = {"role": "user", "content": PROMPT}
asked = {"model": MODEL, "max_tokens": 4096}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def stream():
    with client.messages.stream(**asked, messages=[user]) as stream:
        has_pieces(list(stream.text_stream))


def tool():
    tool = {"name": "lookup_ticket", "description": "Looks up", "input_schema": PARAMETERS}
    said = client.messages.create(**asked, messages=[user], tools=[tool])
    call = next(block for block in said.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": lookup_ticket(**call.input)}
    messages = [user, {"role": "assistant", "content": said.content}, {"role": "user", "content": [result]}]
    used_tool(text_of(client.messages.create(**asked, messages=messages, tools=[tool])))


def structured():
    config = {"format": {"type": "json_schema", "schema": SCHEMA}}
    has_color(json.loads(text_of(client.messages.create(**asked, messages=[user], extra_body={"output_config": config})))["color"])


trial(w=lambda: has_text(text_of(client.messages.create(**asked, messages=[user]))), s=stream, t=tool, o=structured)
