import json

from openai import OpenAI
from pydantic import BaseModel

from trial import KEY, MODEL, PARAMETERS, PROMPT, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

client = OpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)
user = {"role": "user", "content": PROMPT}


class Ticket(BaseModel):
    color: str
    number: int


def chat_tool():
    tool = {"type": "function", "function": {"name": "lookup_ticket", "description": "Looks up", "parameters": PARAMETERS}}
    said = client.chat.completions.create(model=MODEL, messages=[user], tools=[tool]).choices[0].message
    call = said.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": lookup_ticket(**json.loads(call.function.arguments))}
    used_tool(client.chat.completions.create(model=MODEL, messages=[user, said, result], tools=[tool]).choices[0].message.content)


def responses_tool():
    tool = {"type": "function", "name": "lookup_ticket", "description": "Looks up", "parameters": PARAMETERS, "strict": False}
    output = client.responses.create(model=MODEL, input=[user], tools=[tool], store=False).output
    call = next(item for item in output if item.type == "function_call")
    result = {"type": "function_call_output", "call_id": call.call_id, "output": lookup_ticket(**json.loads(call.arguments))}
    used_tool(client.responses.create(model=MODEL, input=[user, *output, result], tools=[tool], store=False).output_text)


if VARIANT == "chat":
    trial(
        w=lambda: has_text(client.chat.completions.create(model=MODEL, messages=[user]).choices[0].message.content),
        s=lambda: has_pieces(
            [
                choice.delta.content
                for chunk in client.chat.completions.create(model=MODEL, messages=[user], stream=True)
                for choice in chunk.choices
            ]
        ),
        t=chat_tool,
        o=lambda: has_color(
            client.chat.completions.parse(model=MODEL, messages=[user], response_format=Ticket).choices[0].message.parsed.color
        ),
    )
else:
    trial(
        w=lambda: has_text(client.responses.create(model=MODEL, input=PROMPT).output_text),
        s=lambda: has_pieces(
            [
                event.delta
                for event in client.responses.create(model=MODEL, input=PROMPT, stream=True)
                if event.type == "response.output_text.delta"
            ]
        ),
        t=responses_tool,
        o=lambda: has_color(client.responses.parse(model=MODEL, input=PROMPT, text_format=Ticket).output_parsed.color),
    )
