import { membersOf, requestOf, type SnippetCall, type SnippetDialect } from './snippet-request'
import type { SnippetLanguage } from './snippet-languages'

/** Returns a program that makes the call: with the official SDK in Python and Node, otherwise over plain HTTP. */
export const snippetOf = (language: SnippetLanguage, call: SnippetCall): string => writers[language](call)

const writers: Record<SnippetLanguage, (call: SnippetCall) => string> = {
  curl(call) {
    const { url, headers, body } = requestOf(call)
    const lines = Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)} \\`)
    return [`curl ${url} \\`, ...lines, `  -d ${shellQuoted(json(body, 2))}`].join('\n')
  },

  python: (call) => pythonWriters[call.dialect ?? 'openai'](call),

  node: (call) => nodeWriters[call.dialect ?? 'openai'](call),

  go(call) {
    const { url, headers, body } = requestOf(call)
    const lines = Object.entries(headers).map(
      ([name, value]) => `	request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    )
    return `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := ${goQuoted(json(body))}
	request, _ := http.NewRequest("POST", ${JSON.stringify(url)}, strings.NewReader(body))
${lines.join('\n')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(string(text))
}`
  },
}

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
const pythonWriters: Writers = {
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
const nodeWriters: Writers = {
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

/** Returns JSON with non-ASCII characters unescaped and further lines indented by this many spaces. */
const json = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

/** Returns a single-quoted text for a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns JSON as a Python literal. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

/** Returns a raw string of Go, or a quoted one if the text contains a backquote. */
const goQuoted = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)
