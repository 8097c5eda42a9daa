import json
import os

# It has a copy of what it would fetch.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

from trial import KEY, MODEL, PARAMETERS, PROMPT, SCHEMA, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

litellm.suppress_debug_info = True
bases = {"openai": f"{URL}/v1", "anthropic": URL, "gemini": f"{URL}/v1beta", "openrouter": f"{URL}/api/v1", "ollama_chat": URL}
user = {"role": "user", "content": PROMPT}


def ask(**more):
    return litellm.completion(
        model=f"{VARIANT}/{MODEL}", api_base=bases[VARIANT], api_key=KEY, num_retries=0, **{"messages": [user], **more}
    )


def tool():
    tool = {"type": "function", "function": {"name": "lookup_ticket", "description": "Looks up", "parameters": PARAMETERS}}
    said = ask(tools=[tool]).choices[0].message
    call = said.tool_calls[0]
    content = lookup_ticket(**json.loads(call.function.arguments))
    result = {"role": "tool", "tool_call_id": call.id, "name": "lookup_ticket", "content": content}
    used_tool(ask(messages=[user, said.model_dump(), result], tools=[tool]).choices[0].message.content)


# It asks models that it does not take for Google's for objects in words, which the model here does not read.
asks_in_words = VARIANT == "gemini" and not MODEL.startswith("gemini")
schema = {"type": "json_schema", "json_schema": {"name": "ticket", "schema": SCHEMA, "strict": True}}
aspects = {
    "w": lambda: has_text(ask().choices[0].message.content),
    "s": lambda: has_pieces([chunk.choices[0].delta.content for chunk in ask(stream=True)]),
    "t": tool,
    "o": lambda: has_color(json.loads(ask(response_format=schema).choices[0].message.content)["color"]),
}
trial(**{name: attempt for name, attempt in aspects.items() if name != "o" or not asks_in_words})
