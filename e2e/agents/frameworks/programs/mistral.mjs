import { Mistral } from '@mistralai/mistralai'

import { hasPieces, hasText, key, lookupTicket, model, parameters, prompt, trial, url, usedTool } from './trial.mjs'

const client = new Mistral({ apiKey: key, serverURL: url })
const messages = [{ role: 'user', content: prompt }]

await trial({
  w: async () => hasText((await client.chat.complete({ model, messages })).choices[0].message.content),
  s: async () => hasPieces(await client.chat.stream({ model, messages }), ({ data }) => data.choices[0]?.delta.content),
  async t() {
    const tools = [{ type: 'function', function: { name: 'lookup_ticket', description: 'Looks up', parameters } }]
    const { message } = (await client.chat.complete({ model, messages, tools })).choices[0]
    const [call] = message.toolCalls
    const args = call.function.arguments
    const content = lookupTicket(typeof args === 'string' ? JSON.parse(args) : args)
    const result = { role: 'tool', toolCallId: call.id, name: 'lookup_ticket', content }
    const turns = [...messages, { ...message, role: 'assistant' }, result]
    usedTool((await client.chat.complete({ model, messages: turns, tools })).choices[0].message.content)
  },
})
