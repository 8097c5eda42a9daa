import { anthropic } from '@llamaindex/anthropic'
import { openai } from '@llamaindex/openai'
import { agent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { z } from 'zod'

import {
  hasColor,
  hasPieces,
  hasText,
  key,
  lookupTicket,
  model,
  prompt,
  trial,
  url,
  usedTool,
  variant,
} from './trial.mjs'

process.env.ANTHROPIC_BASE_URL = url

const make = {
  openai: () => openai({ model, apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
  // It has tools for models that it knows by name; the other name is the one that is sent. Its library reads the address.
  anthropic: () =>
    anthropic({ model: 'claude-sonnet-4-5', apiKey: key, maxRetries: 0, additionalChatOptions: { model } }),
}[variant]

const textOf = (content) => (typeof content === 'string' ? content : content.map(({ text }) => text).join(''))
const messages = [{ role: 'user', content: prompt }]

await trial({
  w: async () => hasText(textOf((await make().chat({ messages })).message.content)),
  s: async () => hasPieces(await make().chat({ messages, stream: true }), ({ delta }) => delta),
  async t() {
    const lookup = tool({
      name: 'lookup_ticket',
      description: 'Looks up a ticket',
      parameters: z.object({ id: z.string() }),
      execute: lookupTicket,
    })
    usedTool((await agent({ llm: make(), tools: [lookup] }).run(prompt)).data.result)
  },
  ...(variant === 'openai' && {
    async o() {
      const responseFormat = z.object({ color: z.string(), number: z.number().int() })
      hasColor(JSON.parse((await make().chat({ messages, responseFormat })).message.content))
    },
  }),
})
