/** A chat call as programs in four languages make it. Pure. */

interface SnippetMessage {
  readonly role: string
  readonly content: unknown
}

export interface SnippetCall {
  /** Of the gateway, without a trailing slash. */
  readonly address: string
  readonly apiKey: string
  readonly model: string
  readonly messages?: readonly SnippetMessage[]
  /** Further members of the body, such as `temperature`. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export const snippetLanguages = ['curl', 'python', 'node', 'go'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

const hello: readonly SnippetMessage[] = [{ role: 'user', content: 'Hello!' }]

export const snippetOf = (language: SnippetLanguage, call: SnippetCall): string => writers[language](call)

const bodyOf = ({ model, messages = hello, parameters = {} }: SnippetCall) => ({ model, messages, ...parameters })

/** JSON with everything beyond ASCII kept readable, indented under its first line. */
const json = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

/** A text between single quotes, as a POSIX shell reads it. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const writers: Record<SnippetLanguage, (call: SnippetCall) => string> = {
  curl: (call) =>
    [
      `curl ${call.address}/v1/chat/completions \\`,
      `  -H ${shellQuoted(`Authorization: Bearer ${call.apiKey}`)} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${shellQuoted(json(bodyOf(call), 2))}`,
    ].join('\n'),

  python: (call) => `from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(`${call.address}/v1`)},
    api_key=${JSON.stringify(call.apiKey)},
)

answer = client.chat.completions.create(
${Object.entries(bodyOf(call))
  .map(([name, value]) => `    ${name}=${pythonLiteral(value)},`)
  .join('\n')}
)
print(answer.choices[0].message.content)`,

  node: (call) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${JSON.stringify(`${call.address}/v1`)},
  apiKey: ${JSON.stringify(call.apiKey)},
})

const answer = await client.chat.completions.create(${json(bodyOf(call))})
console.log(answer.choices[0].message.content)`,

  go: (call) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := ${goQuoted(json(bodyOf(call)))}
	request, _ := http.NewRequest("POST", ${JSON.stringify(`${call.address}/v1/chat/completions`)}, strings.NewReader(body))
	request.Header.Set("Authorization", ${JSON.stringify(`Bearer ${call.apiKey}`)})
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(string(text))
}`,
}

/** JSON as Python writes it. */
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

/** A raw string, unless the text holds a back quote. */
const goQuoted = (text: string) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)
