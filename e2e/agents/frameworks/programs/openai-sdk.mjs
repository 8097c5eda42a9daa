import OpenAI from 'openai'

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

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
const messages = [{ role: 'user', content: prompt }]
const described = { name: 'lookup_ticket', description: 'Looks up a ticket', parameters }

const chat = {
  w: async () => hasText((await client.chat.completions.create({ model, messages })).choices[0].message.content),
  s: async () =>
    hasPieces(
      await client.chat.completions.create({ model, messages, stream: true }),
      (chunk) => chunk.choices[0]?.delta.content,
    ),
  async t() {
    const tool = { type: 'function', function: { ...described, function: lookupTicket, parse: JSON.parse } }
    usedTool(await client.chat.completions.runTools({ model, messages, tools: [tool] }).finalContent())
  },
  async o() {
    const format = { type: 'json_schema', json_schema: { name: 'ticket', schema, strict: true } }
    const said = await client.chat.completions.create({ model, messages, response_format: format })
    hasColor(JSON.parse(said.choices[0].message.content))
  },
}
const responses = {
  w: async () => hasText((await client.responses.create({ model, input: prompt })).output_text),
  s: async () =>
    hasPieces(await client.responses.create({ model, input: prompt, stream: true }), ({ type, delta }) =>
      type === 'response.output_text.delta' ? delta : '',
    ),
  async t() {
    const asked = { model, tools: [{ type: 'function', strict: false, ...described }], store: false }
    const { output } = await client.responses.create({ ...asked, input: messages })
    const call = output.find(({ type }) => type === 'function_call')
    const result = {
      type: 'function_call_output',
      call_id: call.call_id,
      output: lookupTicket(JSON.parse(call.arguments)),
    }
    usedTool((await client.responses.create({ ...asked, input: [...messages, ...output, result] })).output_text)
  },
  async o() {
    const text = { format: { type: 'json_schema', name: 'ticket', schema, strict: true } }
    hasColor(JSON.parse((await client.responses.create({ model, input: prompt, text })).output_text))
  },
}
await trial(variant === 'chat' ? chat : responses)
