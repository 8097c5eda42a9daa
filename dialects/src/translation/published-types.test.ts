import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'bun:test'

import { chatCodecs } from './test/codecs'
import { answers, writeAnswer } from './test/answers'

/** The vendors' own types, as each is named here, of a whole answer and of an event of its stream. */
const published = {
  'openai-chat': `
    import type OpenAI from 'openai'
    type Said = OpenAI.Chat.ChatCompletionMessage & Beside
    type Choice = Omit<OpenAI.Chat.ChatCompletion.Choice, 'message'> & { message: Said }
    type Whole = Omit<OpenAI.Chat.ChatCompletion, 'choices'> & { choices: Choice[] }
    // The library does not type the streamed calls of tools that take free text, nor annotations.
    type Call = Omit<OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall, 'type'> & {
      type?: 'function' | 'custom'
      custom?: { name?: string; input?: string }
    } & Signed
    type Delta = Omit<OpenAI.Chat.ChatCompletionChunk.Choice.Delta, 'tool_calls'> & Beside & {
      tool_calls?: Call[]
      annotations?: OpenAI.Chat.ChatCompletionMessage.Annotation[]
    }
    type Event = Omit<OpenAI.Chat.ChatCompletionChunk, 'choices'> & {
      choices: (Omit<OpenAI.Chat.ChatCompletionChunk.Choice, 'delta'> & { delta: Delta })[]
    }
    // What other vendors added, and their clients read.
    interface Beside { reasoning_content?: string; reasoning_details?: object[]; images?: object[] }
    interface Signed { extra_content?: object }`,
  'openai-responses': `
    import type OpenAI from 'openai'
    // The library types neither that usage and user are null at first, nor what https://www.openresponses.org/specification requires.
    type Response = Omit<OpenAI.Responses.Response, 'output_text' | 'usage' | 'user'> & {
      usage: OpenAI.Responses.ResponseUsage | null
      user: string | null
      presence_penalty: number
      frequency_penalty: number
      store: boolean
    }
    type Whole = Response
    type Told = OpenAI.Responses.ResponseStreamEvent
    type OfResponse = Extract<Told, { response: object }>
    type Event = Numberless<Exclude<Told, OfResponse>> | { type: OfResponse['type']; response: Response }
    // The serializer numbers the events.
    type Numberless<T> = T extends object ? Omit<T, 'sequence_number'> : never`,
  'anthropic-messages': `
    import type Anthropic from '@anthropic-ai/sdk'
    type Whole = Anthropic.Message
    type Event = Anthropic.RawMessageStreamEvent`,
  gemini: `
    import type { GenerateContentResponse } from '@google/genai'
    // All but what the library computes.
    type Sent = 'candidates' | 'createTime' | 'modelStatus' | 'modelVersion' | 'promptFeedback' | 'responseId' | 'usageMetadata'
    type Whole = Pick<GenerateContentResponse, Sent>
    type Event = Whole`,
} as const

/**
 * What goes over the wire: an enumeration is its words, what may be null may be left out, and so may what tells that a call is the
 * model's own, which older hosts refuse to take back.
 */
const wire = `
  type Wire<T> = T extends string ? \`\${T}\`
    : T extends readonly (infer Item)[] ? Wire<Item>[]
    : T extends Date | Function ? never
    // The library has the status of these only where they are listed.
    : T extends { type: 'custom_tool_call' } ? Members<T> & { status?: 'in_progress' | 'completed' }
    : T extends object ? Members<T>
    : T
  type Members<T> = { [K in keyof T as IsLeft<T, K> extends true ? never : K]: Wire<T[K]> }
    & { [K in keyof T as IsLeft<T, K> extends true ? K : never]?: Wire<T[K]> }
  type IsLeft<T, K extends keyof T> = K extends 'caller' ? true : null extends T[K] ? true : false`

const folder = mkdtempSync(join(import.meta.dir, '../../node_modules/.published-types-'))
const options = { strict: true, skipLibCheck: true, noEmit: true, target: 'esnext', module: 'esnext' }
let problems = ''

beforeAll(async () => {
  const compilerOptions = { ...options, moduleResolution: 'bundler', types: [] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...Object.keys(published), 'wrong'].map((name) => `${name}.ts`) }),
  )
  for (const [client, types] of Object.entries(published)) {
    const values = Object.entries(published).flatMap(([upstream]) =>
      Object.entries(answers).map(([name, answer]) => valueOf(client, upstream, name, answer)),
    )
    writeFileSync(join(folder, `${client}.ts`), [types, wire, ...values].join('\n'))
  }
  const wrong = [
    "{ type: 'tool_use', id: 'a', name: 'f', input: {}, stranger: 1 }",
    "{ type: 'tool_use', name: 'f', input: {} }",
  ]
  const block = 'Wire<Anthropic.ToolUseBlock>'
  const lines = wrong.map((literal) => `void (${literal} satisfies ${block});`)
  writeFileSync(join(folder, 'wrong.ts'), [published['anthropic-messages'], wire, ...lines].join('\n'))
  const compiler = Bun.spawn(['bunx', 'tsc', '-p', folder], { stdout: 'pipe' })
  problems = await new Response(compiler.stdout).text()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** The answer as a literal, of which the compiler allows no member that the type does not have. */
function valueOf(
  client: string,
  upstream: string,
  name: string,
  answer: (typeof answers)[keyof typeof answers],
): string {
  const [to, from] = [chatCodecs[client], chatCodecs[upstream]]
  if (client === upstream || !to || !from) return ''
  const { whole, stream } = writeAnswer(to, from, answer)
  const events = stream.map((event) => `${JSON.stringify(event)} satisfies Wire<Event>`)
  return `// ${name} of ${upstream}\n${[`${JSON.stringify(whole)} satisfies Wire<Whole>`, ...events].map((one) => `void (${one});`).join('\n')}`
}

test.each(Object.keys(published))('what clients of %s are told has the members that the vendor publishes', (client) => {
  const ofClient = problems.split('\n').filter((line) => line.includes(`${client}.ts`))
  expect(ofClient).toEqual([])
})

test('a member that the vendor does not publish, and one that is missing, are found', () => {
  const lines = problems.split('\n').filter((line) => line.includes('wrong.ts'))
  expect(lines).toEqual([
    expect.stringContaining("'stranger' does not exist"),
    expect.stringContaining('does not satisfy'),
  ])
})
