from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from pydantic import BaseModel

from trial import KEY, MODEL, PROMPT, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool


def make():
    if VARIANT == "anthropic":
        from llama_index.llms.anthropic import Anthropic

        return Anthropic(model="claude-sonnet-4-5", base_url=URL, api_key=KEY, max_tokens=4096, additional_kwargs={"model": MODEL})
    from llama_index.llms.openai_like import OpenAILike

    known = {"is_chat_model": True, "is_function_calling_model": True, "context_window": 100_000}
    return OpenAILike(model=MODEL, api_base=f"{URL}/v1", api_key=KEY, max_retries=0, **known)


class Ticket(BaseModel):
    """What a ticket says."""

    color: str
    number: int


async def tool():
    used_tool(str(await FunctionAgent(tools=[lookup_ticket], llm=make()).run(PROMPT)))


messages = [ChatMessage(role="user", content=PROMPT)]
# Anthropic's models are asked for objects by the names that it knows, which the gateway of a trial does not have.
objects = {} if VARIANT == "anthropic" else {"o": lambda: has_color(make().as_structured_llm(Ticket).chat(messages).raw.color)}
trial(
    w=lambda: has_text(make().chat(messages).message.content),
    s=lambda: has_pieces([piece.delta for piece in make().stream_chat(messages)]),
    t=tool,
    **objects,
)
