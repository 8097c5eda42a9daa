from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from pydantic import BaseModel

from trial import KEY, MODEL, PROMPT, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

set_tracing_disabled(True)


class Ticket(BaseModel):
    color: str
    number: int


def agent(**more):
    client = AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)
    kind = OpenAIChatCompletionsModel if VARIANT == "chat" else OpenAIResponsesModel
    return Agent(name="a", model=kind(model=MODEL, openai_client=client), **more)


async def run(**more):
    return (await Runner.run(agent(**more), PROMPT)).final_output


async def whole():
    has_text(await run())


async def stream():
    events = Runner.run_streamed(agent(), PROMPT).stream_events()
    has_pieces([getattr(event.data, "delta", None) async for event in events if event.type == "raw_response_event"])


async def tool():
    used_tool(await run(tools=[function_tool(lookup_ticket)]))


async def structured():
    has_color((await run(output_type=Ticket)).color)


trial(w=whole, s=stream, t=tool, o=structured)
