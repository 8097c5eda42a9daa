import { json, pythonLiteral } from './quoting'
import { membersOf, type SnippetCall, type SnippetDialect } from './snippet-request'

type Writers = Record<SnippetDialect, (call: SnippetCall) => string>

const quote = (text: string) => JSON.stringify(text)

/** Returns the arguments of a Python call, one per line. */
const pythonArguments = (call: SnippetCall) =>
  Object.entries(membersOf(call))
    .map(([name, value]) => `    ${name}=${pythonLiteral(value)},`)
    .join('\n')

const pythonOpenAi = ({ address, apiKey }: SnippetCall) => `from openai import OpenAI

client = OpenAI(
    base_url=${quote(`${address}/v1`)},
    api_key=${quote(apiKey)},
)
`

/** Examples for the official Python SDKs. */
export const pythonWriters: Writers = {
  openai: (call) => `${pythonOpenAi(call)}
completion = client.chat.completions.create(
${pythonArguments(call)}
)
print(completion.choices[0].message.content)`,

  responses: (call) => `${pythonOpenAi(call)}
response = client.responses.create(
${pythonArguments(call)}
)
print(response.output_text)`,

  anthropic: (call) => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quote(call.address)},
    api_key=${quote(call.apiKey)},
)

message = client.messages.create(
${pythonArguments(call)}
)
print(message.content[0].text)`,

  gemini: (call) => `from google import genai

client = genai.Client(
    api_key=${quote(call.apiKey)},
    http_options={"base_url": ${quote(call.address)}},
)

response = client.models.generate_content(
${pythonArguments(call)}
)
print(response.text)`,
}

const nodeOpenAi = ({ address, apiKey }: SnippetCall) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${quote(`${address}/v1`)},
  apiKey: ${quote(apiKey)},
})
`

/** Examples for the official Node SDKs. */
export const nodeWriters: Writers = {
  openai: (call) => `${nodeOpenAi(call)}
const completion = await client.chat.completions.create(${json(membersOf(call))})
console.log(completion.choices[0].message.content)`,

  responses: (call) => `${nodeOpenAi(call)}
const response = await client.responses.create(${json(membersOf(call))})
console.log(response.output_text)`,

  anthropic: (call) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${quote(call.address)},
  apiKey: ${quote(call.apiKey)},
})

const message = await client.messages.create(${json(membersOf(call))})
console.log(message.content[0].text)`,

  gemini: (call) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: ${quote(call.apiKey)},
  httpOptions: { baseUrl: ${quote(call.address)} },
})

const response = await client.models.generateContent(${json(membersOf(call))})
console.log(response.text)`,
}
