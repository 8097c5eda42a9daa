import { ChatAnthropic } from '@langchain/anthropic'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'

import {
  hasColor,
  hasPieces,
  hasText,
  key,
  lookupTicket,
  model,
  parameters,
  prompt,
  schema,
  trial,
  url,
  usedTool,
  variant,
} from './trial.mjs'

const openAi = { model, apiKey: key, configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }
const makers = {
  openai: () => new ChatOpenAI(openAi),
  responses: () => new ChatOpenAI({ ...openAi, useResponsesApi: true, zdrEnabled: true }),
  anthropic: () =>
    new ChatAnthropic({
      model,
      apiKey: key,
      anthropicApiUrl: url,
      maxTokens: 4096,
      maxRetries: 0,
      temperature: undefined,
    }),
  google: () => new ChatGoogleGenerativeAI({ model, apiKey: key, baseUrl: url, maxRetries: 0 }),
}
const chat = makers[variant]()

await trial({
  w: async () => hasText((await chat.invoke(prompt)).text),
  s: async () => hasPieces(await chat.stream(prompt), ({ text }) => text),
  async t() {
    const described = { name: 'lookup_ticket', description: 'Looks up a ticket', schema: parameters }
    const agent = createAgent({ model: chat, tools: [tool(async (input) => lookupTicket(input), described)] })
    usedTool((await agent.invoke({ messages: [{ role: 'user', content: prompt }] })).messages.at(-1).text)
  },
  o: async () => hasColor(await chat.withStructuredOutput({ title: 'ticket', ...schema }).invoke(prompt)),
})
