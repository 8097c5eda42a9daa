from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

from trial import KEY, MODEL, PROMPT, URL, has_pieces, has_text, lookup_ticket, trial, used_tool


class Tickets:
    @kernel_function(name="lookup_ticket", description="Looks up a ticket by its number")
    def lookup(self, id: str) -> str:
        return lookup_ticket(id)


def agent(**more):
    service = OpenAIChatCompletion(ai_model_id=MODEL, async_client=AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY))
    return ChatCompletionAgent(service=service, name="a", **more)


async def whole():
    has_text(str((await agent().get_response(PROMPT)).message))


async def stream():
    has_pieces([str(piece.message) async for piece in agent().invoke_stream(PROMPT)])


async def tool():
    used_tool(str((await agent(plugins=[Tickets()]).get_response(PROMPT)).message))


trial(w=whole, s=stream, t=tool)
