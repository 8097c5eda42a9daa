from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from trial import KEY, MODEL, PROMPT, URL, VARIANT, has_color, has_pieces, has_text, lookup_ticket, trial, used_tool

openai = {"model": MODEL, "base_url": f"{URL}/v1", "api_key": KEY, "max_retries": 0}
makers = {
    "openai": lambda: ChatOpenAI(**openai),
    "responses": lambda: ChatOpenAI(**openai, use_responses_api=True, store=False),
    "anthropic": lambda: ChatAnthropic(model=MODEL, base_url=URL, api_key=KEY, max_tokens=4096, max_retries=0),
    "google": lambda: ChatGoogleGenerativeAI(model=MODEL, base_url=URL, api_key=KEY, max_retries=1),
}
model = makers[VARIANT]()


class Ticket(BaseModel):
    """What a ticket says."""

    color: str
    number: int


def tool():
    agent = create_agent(model, tools=[lookup_ticket])
    used_tool(agent.invoke({"messages": [{"role": "user", "content": PROMPT}]})["messages"][-1].text)


trial(
    w=lambda: has_text(model.invoke(PROMPT).text),
    s=lambda: has_pieces([chunk.text for chunk in model.stream(PROMPT)]),
    t=tool,
    o=lambda: has_color(model.with_structured_output(Ticket).invoke(PROMPT).color),
)
