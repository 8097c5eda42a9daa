from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from trial import KEY, MODEL, PROMPT, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

makers = {
    "openai": lambda: OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY)),
    "responses": lambda: OpenAIResponsesModel(MODEL, provider=OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY)),
    "anthropic": lambda: AnthropicModel(MODEL, provider=AnthropicProvider(base_url=URL, api_key=KEY)),
    "google": lambda: GoogleModel(MODEL, provider=GoogleProvider(base_url=URL, api_key=KEY)),
}
model = makers[VARIANT]()


class Ticket(BaseModel):
    color: str
    number: int


async def stream():
    async with Agent(model).run_stream(PROMPT) as result:
        has_pieces([text async for text in result.stream_text(delta=True, debounce_by=None)])


trial(
    w=lambda: has_text(Agent(model).run_sync(PROMPT).output),
    s=stream,
    t=lambda: used_tool(Agent(model, tools=[lookup_ticket]).run_sync(PROMPT).output),
    o=lambda: has_color(Agent(model, output_type=Ticket).run_sync(PROMPT).output.color),
)
