import Anthropic from '@anthropic-ai/sdk'

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
} from './trial.mjs'

const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
const asked = { model, max_tokens: 4096, messages: [{ role: 'user', content: prompt }] }
const textOf = ({ content }) => content.map((block) => block.text ?? '').join('')

await trial({
  w: async () => hasText(textOf(await client.messages.create(asked))),
  s: async () => hasPieces(client.messages.stream(asked), (event) => event.delta?.text),
  async t() {
    const tool = { name: 'lookup_ticket', description: 'Looks up', input_schema: parameters }
    const run = async (input) => lookupTicket(input)
    usedTool(
      textOf(await client.beta.messages.toolRunner({ ...asked, tools: [{ ...tool, run, parse: (input) => input }] })),
    )
  },
  async o() {
    const output_config = { format: { type: 'json_schema', schema } }
    hasColor(JSON.parse(textOf(await client.messages.create({ ...asked, output_config }))))
  },
})
