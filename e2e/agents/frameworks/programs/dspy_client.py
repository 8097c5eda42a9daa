import dspy

from trial import KEY, MODEL, PROMPT, URL, has_text, lookup_ticket, trial, used_tool

lm = dspy.LM(f"openai/{MODEL}", api_base=f"{URL}/v1", api_key=KEY, cache=False, num_retries=0)
tool = {
    "type": "function",
    "function": {
        "name": "lookup_ticket",
        "description": "Looks up",
        "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    },
}


def call():
    said = lm(PROMPT, tools=[tool])[0]
    lookup_ticket(said["tool_calls"][0]["function"]["name"])
    used_tool("called")


def text():
    said = lm(PROMPT)[0]
    has_text(said if isinstance(said, str) else said["text"])


trial(w=text, t=call)
