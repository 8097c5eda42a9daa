import { json, pythonLiteral } from './quoting'
import { chatBodyOf, exampleMaxTokens, greeting, type SnippetCall, type SnippetDialect } from './snippet-request'

type Writers = Record<SnippetDialect, (call: SnippetCall) => string>

const quoted = (text: string) => JSON.stringify(text)

/** Programs for the official Python SDKs. */
export const pythonWriters: Writers = {
  openai: (call) => `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(`${call.address}/v1`)},
    api_key=${quoted(call.apiKey)},
)

completion = client.chat.completions.create(
${Object.entries(chatBodyOf(call))
  .map(([name, value]) => `    ${name}=${pythonLiteral(value)},`)
  .join('\n')}
)
print(completion.choices[0].message.content)`,

  anthropic: ({ address, apiKey, model }) => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quoted(address)},
    api_key=${quoted(apiKey)},
)

message = client.messages.create(
    model=${quoted(model)},
    max_tokens=${exampleMaxTokens},
    messages=[{"role": "user", "content": ${quoted(greeting)}}],
)
print(message.content[0].text)`,

  gemini: ({ address, apiKey, model }) => `from google import genai

client = genai.Client(
    api_key=${quoted(apiKey)},
    http_options={"base_url": ${quoted(address)}},
)

response = client.models.generate_content(
    model=${quoted(model)},
    contents=${quoted(greeting)},
)
print(response.text)`,
}

/** Programs for the official Node SDKs. */
export const nodeWriters: Writers = {
  openai: (call) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${quoted(`${call.address}/v1`)},
  apiKey: ${quoted(call.apiKey)},
})

const completion = await client.chat.completions.create(${json(chatBodyOf(call))})
console.log(completion.choices[0].message.content)`,

  anthropic: ({ address, apiKey, model }) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${quoted(address)},
  apiKey: ${quoted(apiKey)},
})

const message = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: ${exampleMaxTokens},
  messages: [{ role: 'user', content: ${quoted(greeting)} }],
})
console.log(message.content[0].text)`,

  gemini: ({ address, apiKey, model }) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: ${quoted(apiKey)},
  httpOptions: { baseUrl: ${quoted(address)} },
})

const response = await client.models.generateContent({
  model: ${quoted(model)},
  contents: ${quoted(greeting)},
})
console.log(response.text)`,
}
