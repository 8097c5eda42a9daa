import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

import { hasColor, hasPieces, hasText, key, lookupTicket, model, prompt, trial, url, usedTool } from './trial.mjs'

const chat = { providerId: 'gateway', modelId: model, url: `${url}/v1`, apiKey: key }
const agent = (more = {}) =>
  new Agent({ id: 'a', name: 'a', instructions: 'Help.', model: chat, maxRetries: 0, ...more })

await trial({
  w: async () => hasText((await agent().generate(prompt)).text),
  s: async () => hasPieces((await agent().stream(prompt)).textStream),
  async t() {
    const described = {
      id: 'lookup_ticket',
      description: 'Looks up a ticket',
      inputSchema: z.object({ id: z.string() }),
    }
    const lookup = createTool({ ...described, execute: async (input) => lookupTicket(input.context ?? input) })
    usedTool((await agent({ tools: { lookup_ticket: lookup } }).generate(prompt, { maxSteps: 4 })).text)
  },
  async o() {
    const output = z.object({ color: z.string(), number: z.number().int() })
    hasColor((await agent().generate(prompt, { structuredOutput: { schema: output } })).object)
  },
})
