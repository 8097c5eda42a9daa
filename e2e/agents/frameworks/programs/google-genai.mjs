import { GoogleGenAI } from '@google/genai'

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

const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
const ask = (config = {}, contents = prompt) => client.models.generateContent({ model, contents, config })

await trial({
  w: async () => hasText((await ask()).text),
  s: async () => hasPieces(await client.models.generateContentStream({ model, contents: prompt }), ({ text }) => text),
  async t() {
    const described = { name: 'lookup_ticket', description: 'Looks up', parametersJsonSchema: parameters }
    const config = { tools: [{ functionDeclarations: [described] }] }
    const said = await ask(config)
    const [call] = said.functionCalls
    const response = { id: call.id, name: call.name, response: { output: lookupTicket(call.args) } }
    const turns = [
      { role: 'user', parts: [{ text: prompt }] },
      said.candidates[0].content,
      { role: 'user', parts: [{ functionResponse: response }] },
    ]
    usedTool((await ask(config, turns)).text)
  },
  async o() {
    hasColor(JSON.parse((await ask({ responseMimeType: 'application/json', responseJsonSchema: schema })).text))
  },
})
