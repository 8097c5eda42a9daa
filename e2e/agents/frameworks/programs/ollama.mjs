import { Ollama } from 'ollama'

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

const client = new Ollama({ host: url, headers: { Authorization: `Bearer ${key}` } })
const messages = [{ role: 'user', content: prompt }]

await trial({
  w: async () => hasText((await client.chat({ model, messages })).message.content),
  s: async () => hasPieces(await client.chat({ model, messages, stream: true }), ({ message }) => message.content),
  async t() {
    const described = { name: 'lookup_ticket', description: 'Looks up a ticket', parameters }
    const tools = [{ type: 'function', function: described }]
    const { message } = await client.chat({ model, messages, tools })
    const [call] = message.tool_calls
    const result = { role: 'tool', tool_name: call.function.name, content: lookupTicket(call.function.arguments) }
    usedTool((await client.chat({ model, messages: [...messages, message, result], tools })).message.content)
  },
  o: async () => hasColor(JSON.parse((await client.chat({ model, messages, format: schema })).message.content)),
})
