import { anthropic } from '@llamaindex/anthropic'
import { openai } from '@llamaindex/openai'
import { agent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { z } from 'zod'

import { hasColor, hasPieces, hasText, key, lookupTicket, model, prompt, trial, url, usedTool, variant } from './trial.mjs'

const make = {
  openai: () => openai({ model, apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
  // It takes the tools of models that it knows alone; the address says which one is called.
  anthropic: () => anthropic({ model, apiKey: key, baseURL: url, maxRetries: 0 }),
}[variant]

const messages = [{ role: 'user', content: prompt }]

await trial({
  w: async () => hasText((await make().chat({ messages })).message.content),
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
