from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret

from trial import KEY, MODEL, PROMPT, URL, has_pieces, has_text, lookup_ticket, trial, used_tool

messages = [ChatMessage.from_user(PROMPT)]


def generator(**more):
    return OpenAIChatGenerator(model=MODEL, api_key=Secret.from_token(KEY), api_base_url=f"{URL}/v1", **more)


def stream():
    pieces = []
    generator(streaming_callback=lambda chunk: pieces.append(chunk.content)).run(messages)
    has_pieces(pieces)


def tool():
    agent = Agent(chat_generator=generator(), tools=[create_tool_from_function(lookup_ticket)])
    used_tool(agent.run(messages=messages)["messages"][-1].text)


trial(w=lambda: has_text(generator().run(messages)["replies"][0].text), s=stream, t=tool)
