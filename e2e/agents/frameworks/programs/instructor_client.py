import instructor
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel

from trial import KEY, MODEL, PROMPT, URL, VARIANT, has_color, trial


class Ticket(BaseModel):
    color: str
    number: int


openai = {"tools": instructor.Mode.TOOLS, "schema": instructor.Mode.JSON_SCHEMA, "responses": instructor.Mode.RESPONSES_TOOLS}
if VARIANT == "anthropic":
    client = instructor.from_anthropic(Anthropic(base_url=URL, api_key=KEY))
else:
    client = instructor.from_openai(OpenAI(base_url=f"{URL}/v1", api_key=KEY), mode=openai[VARIANT])
messages = [{"role": "user", "content": PROMPT}]
trial(
    o=lambda: has_color(
        client.create(model=MODEL, max_tokens=4096, max_retries=1, response_model=Ticket, messages=messages).color
    )
)
