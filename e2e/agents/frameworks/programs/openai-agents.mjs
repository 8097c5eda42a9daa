import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'

import {
  hasColor,
  hasPieces,
  hasText,
  key,
  lookupTicket,
  model,
  parameters,
  prompt,
  trial,
  url,
  usedTool,
  variant,
} from './trial.mjs'

setTracingDisabled(true)
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
const Model = variant === 'chat' ? OpenAIChatCompletionsModel : OpenAIResponsesModel
const agent = (more = {}) => new Agent({ name: 'a', model: new Model(client, model), ...more })

await trial({
  w: async () => hasText((await run(agent(), prompt)).finalOutput),
  s: async () => hasPieces((await run(agent(), prompt, { stream: true })).toTextStream()),
  async t() {
    const described = { name: 'lookup_ticket', description: 'Looks up a ticket', strict: false }
    const lookup = tool({
      ...described,
      parameters: { ...parameters, additionalProperties: true },
      execute: async (input) => lookupTicket(input),
    })
    usedTool((await run(agent({ tools: [lookup] }), prompt)).finalOutput)
  },
  async o() {
    const outputType = z.object({ color: z.string(), number: z.number() })
    hasColor((await run(agent({ outputType }), prompt)).finalOutput)
  },
})
