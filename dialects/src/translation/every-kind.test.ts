import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { textOf } from '../core/neutral/read'
import { noUsage } from '../core/usage'
import { objectNames } from '../chat/vendor-objects/stored-objects'
import { upstreamCodecs } from './test/codecs'
import { chatMessages, chatParts, chatTools } from './test/chat-kinds'
import { cohereMembers, cohereMessages, cohereParts, cohereTools } from './test/cohere-kinds'
import { geminiParts, geminiTools } from './test/gemini-kinds'
import { messagesBlocks, messagesHostedTools, messagesPlainBlocks, messagesTools } from './test/messages-kinds'
import { ollamaMembers, ollamaMessages, ollamaTools } from './test/ollama-kinds'
import { responsesItems, responsesParts, responsesTools } from './test/responses-kinds'
import { translationOf } from './translation'

/** A request with one tool, item or part, and the same without it. */
interface Sample {
  readonly name: string
  readonly body: JsonObject
  readonly without: JsonObject
}

const kindOf = (value: object): string => {
  const { type, role } = value as { type?: string; role?: string }
  return type ?? role ?? Object.keys(value)[0] ?? ''
}
const samplesOf = (
  values: readonly object[],
  bodyWith: (value: object) => JsonObject,
  without: (value: object) => JsonObject,
): readonly Sample[] => values.map((value) => ({ name: kindOf(value), body: bodyWith(value), without: without(value) }))

const user = { role: 'user', content: 'hi' }
const answering = (value: object) => /output|result|response/i.test(kindOf(value)) || kindOf(value) === 'tool'

const responsesInput = { input: [user] }
const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const claudeCalled = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] }
const claude = { max_tokens: 9 }
const chatCalled = {
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const ollamaCalled = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: {} } }] }
const geminiUser = { role: 'user', parts: [{ text: 'hi' }] }
const geminiCalled = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }

const clients: Partial<Record<DialectId, readonly Sample[]>> = {
  'openai-responses': [
    ...samplesOf(
      Object.values(responsesTools),
      (tool) => ({ ...responsesInput, tools: [tool] }),
      () => responsesInput,
    ),
    ...samplesOf(
      Object.values(responsesItems),
      (item) => ({ input: [user, ...(answering(item) ? [called] : []), item, user] }),
      (item) => ({ input: answering(item) ? [user, called, user] : [user] }),
    ),
    ...samplesOf(
      Object.values(responsesParts),
      (part) => ({
        input: [user, { role: /output|refusal/.test(kindOf(part)) ? 'assistant' : 'user', content: [part] }, user],
      }),
      () => responsesInput,
    ),
  ],
  'anthropic-messages': [
    ...samplesOf(
      [...Object.values(messagesTools), ...messagesHostedTools],
      (tool) => ({ ...claude, messages: [user], tools: [tool] }),
      () => ({ ...claude, messages: [user] }),
    ),
    ...samplesOf(
      [...Object.values(messagesBlocks), ...messagesPlainBlocks],
      (block) => ({
        ...claude,
        messages: answering(block)
          ? [user, claudeCalled, { role: 'user', content: [block] }]
          : [user, { role: isAssistantPart(block) ? 'assistant' : 'user', content: [block] }, user],
      }),
      (block) => ({ ...claude, messages: answering(block) ? [user, claudeCalled, user] : [user] }),
    ),
  ],
  'openai-chat': [
    ...samplesOf(
      Object.values(chatTools),
      (tool) => ({ messages: [user], tools: [tool] }),
      () => ({ messages: [user] }),
    ),
    ...samplesOf(
      Object.values(chatParts),
      (part) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, part] }] }),
      () => ({ messages: [user] }),
    ),
    ...samplesOf(
      Object.values(chatMessages),
      (message) => ({ messages: [user, ...(answering(message) ? [chatCalled] : []), message, user] }),
      (message) => ({ messages: answering(message) ? [user, chatCalled, user] : [user] }),
    ),
  ],
  'cohere-chat': [
    ...samplesOf(
      Object.values(cohereTools),
      (tool) => ({ messages: [user], tools: [tool] }),
      () => ({ messages: [user] }),
    ),
    ...samplesOf(
      Object.values(cohereParts),
      (part) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, part] }] }),
      () => ({ messages: [user] }),
    ),
    ...samplesOf(
      Object.values(cohereMessages),
      (message) => ({ messages: [user, ...(answering(message) ? [chatCalled] : []), message, user] }),
      (message) => ({ messages: answering(message) ? [user, chatCalled, user] : [user] }),
    ),
    ...samplesOf(
      Object.values(cohereMembers),
      (members) => ({ ...members, messages: [user] }),
      () => ({ messages: [user] }),
    ),
  ],
  'cohere-chat-v1': samplesOf(
    [{ preamble: 'mark' }, { chat_history: [{ role: 'CHATBOT', message: 'mark' }] }, { connectors: [{ id: 'mark' }] }],
    (members) => ({ ...members, message: 'hi' }),
    () => ({ message: 'hi' }),
  ),
  'ollama-generate': samplesOf(
    [{ system: 'mark' }, { images: ['mark'] }, { suffix: 'mark' }, { context: [1] }, { raw: true }, { template: 'x' }],
    (members) => ({ ...members, prompt: 'hi' }),
    () => ({ prompt: 'hi' }),
  ),
  'ollama-chat': [
    ...samplesOf(
      Object.values(ollamaTools),
      (tool) => ({ messages: [user], tools: [tool] }),
      () => ({ messages: [user] }),
    ),
    ...samplesOf(
      Object.values(ollamaMessages),
      (message) => ({ messages: [user, ...(answering(message) ? [ollamaCalled] : []), message, user] }),
      (message) => ({ messages: answering(message) ? [user, ollamaCalled, user] : [user] }),
    ),
    ...samplesOf(
      Object.values(ollamaMembers),
      (members) => ({ ...members, messages: [user] }),
      () => ({ messages: [user] }),
    ),
  ],
  gemini: [
    ...samplesOf(
      Object.values(geminiTools),
      (tool) => ({ contents: [geminiUser], tools: [tool] }),
      () => ({
        contents: [geminiUser],
      }),
    ),
    ...samplesOf(
      Object.values(geminiParts),
      (part) => ({
        contents: answering(part)
          ? [geminiUser, geminiCalled, { role: 'user', parts: [part] }]
          : [geminiUser, { role: isAssistantPart(part) ? 'model' : 'user', parts: [part] }, geminiUser],
      }),
      (part) => ({ contents: answering(part) ? [geminiUser, geminiCalled, geminiUser] : [geminiUser] }),
    ),
  ],
}

function isAssistantPart(value: object): boolean {
  return /thinking|use|compaction|call|code/i.test(kindOf(value))
}

/** What a dialect has in the place of a tool or a part that says nothing by itself. */
const converted: Readonly<Record<string, RegExp>> = {
  shell: /"shell"/i,
  local_shell: /"local_shell"/i,
  apply_patch: /"apply_patch"/i,
  tool_search: /"tool_search"/i,
  web_search: /web_?search|google_?search|search_context|enable_citation/i,
  enterprise_web_search: /search/i,
  web_fetch: /web_fetch|urlContext/,
  google_search: /search/i,
  url_context: /web_fetch|urlContext/,
  code: /code_execution|code_interpreter|codeExecution/,
  image_generation: /"image_generation"/,
  bash: /"bash"/i,
  text_editor: /"str_replace/i,
  memory: /"memory"/i,
  computer_2: /"computer"/i,
  computer_toolset: /"computer__screenshot"/,
  browser_toolset: /"browser__navigate"/,
  redacted_thinking: /c2ln/,
  thinking: /mark|c2ln/,
  configuration_update: /effort|think/i,
}

const inSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function isConverted(kind: string, body: string): boolean {
  if (body.includes('mark') || body.includes(Buffer.from('mark').toString('base64'))) return true
  return Object.entries(converted).some(([prefix, form]) => inSnake(kind).startsWith(prefix) && form.test(body))
}

/** How the one dialect that takes a question alone names everything else. */
const allBefore = 'messages before the last one'

const translateRequest = (client: DialectId, upstream: DialectId, body: JsonObject) => {
  const result = translationOf(client, upstream)?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm')
  if (!result) throw new Error('both chat')
  return result
}

/** How a sample reaches an upstream; null when it was lost in silence. */
function outcome(client: DialectId, upstream: DialectId, { name, body, without }: Sample): string | null {
  try {
    const { warnings, body: sent } = translateRequest(client, upstream, body)
    const usual = new Set(translateRequest(client, upstream, without).warnings)
    const text = JSON.stringify(sent)
    if (isConverted(name, text)) return 'carried'
    return warnings.some((warning) => !usual.has(warning) || warning === allBefore) ? 'named' : null
  } catch (error) {
    return error instanceof DialectError && textOf(error.message) !== '' ? 'refused' : null
  }
}

const upstreams = Object.keys(upstreamCodecs) as DialectId[]
const pairs = Object.keys(clients).flatMap((client) =>
  upstreams.filter((upstream) => upstream !== client).map((upstream) => [client as DialectId, upstream] as const),
)

describe.each(pairs)('what a client of %s may send to %s', (client, upstream) => {
  test('each kind of tool, item and part is carried, converted, refused or named', () => {
    const lost = (clients[client] ?? []).filter((sample) => outcome(client, upstream, sample) === null)
    expect(lost.map(({ name }) => name)).toEqual([])
  })
})

const aTool = { type: 'function', function: { name: 'f', parameters: {} } }
const geminiTool = { functionDeclarations: [{ name: 'f' }] }

/** What is not as it is documented, or of tomorrow. */
const odd: readonly (readonly [DialectId, object])[] = [
  ['openai-chat', { messages: [{ role: 'user', content: ['mark'] }] }],
  ['openai-chat', { messages: [{ role: 'user', content: { type: 'text', text: 'mark' } }] }],
  ['openai-chat', { messages: [{ role: 'user', content: 7 }] }],
  ['openai-chat', { messages: [user, chatCalled, { role: 'tool', tool_call_id: 'c', content: { a: 'mark' } }] }],
  [
    'openai-chat',
    { messages: [user, { role: 'assistant', tool_calls: [{ id: 'c', type: 'shell', shell: { a: 'mark' } }] }] },
  ],
  ['openai-chat', { messages: [user], response_format: { type: 'grammar' } }],
  ['openai-chat', { messages: [user], tools: [aTool], tool_choice: { type: 'mark' } }],
  ['openai-chat', { messages: [user], reasoning_effort: 'mark' }],
  ['openai-responses', { input: [{ role: 'user', content: ['mark'] }] }],
  [
    'openai-responses',
    { input: [user, called, { type: 'function_call_output', call_id: 'c', output: { a: 'mark' } }] },
  ],
  ['openai-responses', { input: 'hi', text: { format: { type: 'grammar' } } }],
  ['openai-responses', { input: 'hi', tools: [{ type: 'web_search' }], tool_choice: { type: 'of_tomorrow' } }],
  ['openai-responses', { input: 'hi', tools: [{ type: 'function', name: 'f', parameters: {}, defer_loading: true }] }],
  ['anthropic-messages', { ...claude, messages: [{ role: 'user', content: ['mark'] }] }],
  ['anthropic-messages', { ...claude, messages: [user], thinking: { type: 'mark' } }],
  [
    'anthropic-messages',
    { ...claude, messages: [user], tools: [{ name: 'f', input_schema: {}, input_examples: [{}] }] },
  ],
  [
    'anthropic-messages',
    {
      ...claude,
      messages: [
        user,
        claudeCalled,
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: { type: 'text', text: 'mark' } }] },
      ],
    },
  ],
  ['gemini', { contents: [geminiUser], generationConfig: { thinkingConfig: { thinkingLevel: 'MARK' } } }],
  ['gemini', { contents: [geminiUser], generationConfig: { responseMimeType: 'text/mark' } }],
  ['gemini', { contents: [geminiUser], tools: [geminiTool], toolConfig: { functionCallingConfig: { mode: 'MARK' } } }],
  [
    'gemini',
    { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' }, text: 'mark' }] }] },
  ],
]

test.each(odd)(
  'what a client of %s sends oddly as %j is carried, refused or named for every upstream',
  (client, body) => {
    const isLost = (upstream: DialectId): boolean => {
      try {
        const { warnings, body: sent } = translateRequest(client, upstream, { ...body })
        return warnings.length === 0 && !JSON.stringify(sent).includes('mark')
      } catch (error) {
        return !(error instanceof DialectError)
      }
    }
    expect(upstreams.filter((upstream) => upstream !== client && isLost(upstream))).toEqual([])
  },
)

const chatAnswer = (message: object, more: object = {}): JsonObject => ({
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
})
const imageAt = { type: 'image_url', image_url: { url: 'https://mark.example/a.png' } }
const geminiFile = { fileData: { fileUri: 'https://mark.example/a.png', mimeType: 'image/png' } }

test.each<[DialectId, JsonObject]>([
  ['openai-chat', chatAnswer({ content: 'x', images: [imageAt] })],
  ['openai-chat', chatAnswer({ content: [imageAt] })],
  ['openai-chat', chatAnswer({ content: ['mark'] })],
  ['openai-chat', chatAnswer({ content: { text: 'mark' } })],
  ['openai-chat', chatAnswer({ tool_calls: [{ id: 'a', name: 'f', arguments: { a: 'mark' } }] })],
  ['openai-chat', chatAnswer({ content: 'x' }, { citations: ['https://mark.example'] })],
  ['openai-chat', chatAnswer({ content: 'x' }, { search_results: [{ title: 't', url: 'https://mark.example' }] })],
  ['gemini', { candidates: [{ content: { role: 'model', parts: [geminiFile] }, finishReason: 'STOP' }] }],
])('what an upstream of %s responds oddly as %j reaches every client', (upstream, answer) => {
  const options = {
    newId: (prefix: string) => `${prefix}1`,
    now: 1,
    model: 'm',
    includeUsage: true,
    promptTokens: 1,
    thoughtsAsText: false,
    taggedThoughts: false,
  }
  const lost = (['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const).filter((client) => {
    const question =
      client === 'gemini'
        ? { contents: [geminiUser] }
        : client === 'openai-responses'
          ? responsesInput
          : { ...claude, messages: [user] }
    const written = translateRequest(client, upstream, question)
    return client !== upstream && !JSON.stringify(written.read(answer).write(noUsage, options)).includes('mark')
  })
  expect(lost).toEqual([])
})

test('what no dialect knows is named by its own type', () => {
  const unknown = { type: 'of_tomorrow', name: 'thing' }
  const { warnings } = translateRequest('anthropic-messages', 'openai-chat', {
    ...claude,
    tools: [unknown],
    messages: [{ role: 'user', content: [unknown, { type: 'text', text: 'hi' }] }],
  })
  expect(warnings).toEqual(['the part of_tomorrow thing', 'the built-in tool of_tomorrow thing'])
})

const privateAddresses = ['gs://bucket/a.png', 'https://generativelanguage.googleapis.com/v1beta/files/1']

/** Returns a value in as many ways as it has texts, each with the address in place of one of them. */
function withAddress(value: unknown, address: string): unknown[] {
  if (typeof value === 'string') return [address]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    withAddress(member, address).map((changed) =>
      Array.isArray(value)
        ? value.map((item: unknown, index) => (String(index) === name ? changed : item))
        : { ...value, [name]: changed },
    ),
  )
}

test('what a request names becomes no file of the account that was not seen in it', () => {
  const unseen: [string, JsonObject][] = []
  let brought = 0
  for (const address of privateAddresses)
    for (const [client, samples] of Object.entries(clients))
      for (const body of samples.flatMap((sample) => withAddress(sample.body, address)) as JsonObject[]) {
        if (!sentToGemini(client as DialectId, body).includes(`"fileUri":"${address}"`)) continue
        brought += 1
        if (!objectNames(body).some(({ id }) => id === address)) unseen.push([client, body])
      }
  expect(unseen).toEqual([])
  expect(brought).toBeGreaterThan(10)
})

function sentToGemini(client: DialectId, body: JsonObject): string {
  try {
    return JSON.stringify(translateRequest(client, 'gemini', body).body)
  } catch (error) {
    if (error instanceof DialectError) return ''
    throw error
  }
}
