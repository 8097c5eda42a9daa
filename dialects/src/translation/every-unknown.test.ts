import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { upstreamCodecs } from './test/codecs'
import { unknownKinds, unknownMembers } from './test/unknown-kinds'
import { translationOf } from './translation'

/** Where a request may have something unknown, and the request with it; an empty object stands for none. */
type Places = Readonly<Record<string, (unknown: JsonObject) => JsonObject>>

const user = { role: 'user', content: 'hi' }
const schema = { type: 'object' }

const chatCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const chatCalling = { role: 'assistant', tool_calls: [chatCall] }
const claudeCalling = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] }
const responsesCall = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const geminiUser = { role: 'user', parts: [{ text: 'hi' }] }
const geminiCalling = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }
const isKind = (unknown: JsonObject): boolean => 'type' in unknown
const listOf = (unknown: JsonObject): JsonObject[] => (isKind(unknown) ? [unknown] : [])

/** Places of whole objects of an unknown kind. */
const kinds: Partial<Record<DialectId, Places>> = {
  'openai-chat': {
    tool: (kind) => ({ messages: [user], tools: listOf(kind) }),
    part: (kind) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }] }),
    instruction: (kind) => ({
      messages: [{ role: 'system', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }, user],
    }),
    answer: (kind) => ({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }, user],
    }),
    result: (kind) => ({
      messages: [
        user,
        chatCalling,
        { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] },
      ],
    }),
    call: (kind) => ({ messages: [user, { role: 'assistant', content: 'x', tool_calls: listOf(kind) }, user] }),
    thought: (kind) => ({
      messages: [user, { role: 'assistant', content: 'x', reasoning_details: listOf(kind) }, user],
    }),
    block: (kind) => ({ messages: [user, { role: 'assistant', content: 'x', thinking_blocks: listOf(kind) }, user] }),
  },
  'anthropic-messages': {
    tool: (kind) => ({ max_tokens: 9, messages: [user], tools: listOf(kind) }),
    instruction: (kind) => ({
      max_tokens: 9,
      system: [{ type: 'text', text: 'x' }, ...listOf(kind)],
      messages: [user],
    }),
    part: (kind) => ({
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }],
    }),
    answer: (kind) => ({
      max_tokens: 9,
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }, user],
    }),
    result: (kind) => ({
      max_tokens: 9,
      messages: [
        user,
        claudeCalling,
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }],
        },
      ],
    }),
    document: (kind) => ({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'x' }, ...listOf(kind).map((source) => ({ type: 'document', source }))],
        },
      ],
    }),
    image: (kind) => ({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'x' }, ...listOf(kind).map((source) => ({ type: 'image', source }))],
        },
      ],
    }),
    'content of a document': (kind) => ({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] } },
          ],
        },
      ],
    }),
  },
  'openai-responses': {
    tool: (kind) => ({ input: [user], tools: listOf(kind) }),
    item: (kind) => ({ input: [user, ...listOf(kind), user] }),
    part: (kind) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }, ...listOf(kind)] }] }),
    answer: (kind) => ({
      input: [
        user,
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }, ...listOf(kind)] },
        user,
      ],
    }),
    result: (kind) => ({
      input: [
        user,
        responsesCall,
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }, ...listOf(kind)] },
      ],
    }),
    thought: (kind) => ({
      input: [user, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }, ...listOf(kind)] }, user],
    }),
  },
  'cohere-chat': {
    tool: (kind) => ({ messages: [user], tools: listOf(kind) }),
    part: (kind) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }] }),
    answer: (kind) => ({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] }, user],
    }),
    result: (kind) => ({
      messages: [
        user,
        chatCalling,
        { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }, ...listOf(kind)] },
      ],
    }),
  },
  'ollama-chat': { tool: (kind) => ({ messages: [user], tools: listOf(kind) }) },
}

/** Places of members of what is known. */
const members: Partial<Record<DialectId, Places>> = {
  'openai-chat': {
    message: (member) => ({ messages: [{ ...user, ...member }] }),
    answer: (member) => ({ messages: [user, { role: 'assistant', content: 'x', ...member }, user] }),
    result: (member) => ({
      messages: [user, chatCalling, { role: 'tool', tool_call_id: 'c', content: 'x', ...member }],
    }),
    part: (member) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x', ...member }] }] }),
    image: (member) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/a.png', ...member } }] }],
    }),
    call: (member) => ({
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ ...chatCall, ...member }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    }),
    tool: (member) => ({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: schema }, ...member }],
    }),
    function: (member) => ({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: schema, ...member } }],
    }),
  },
  'anthropic-messages': {
    answer: (member) => ({
      max_tokens: 9,
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'x', ...member }] }, user],
    }),
    message: (member) => ({ max_tokens: 9, messages: [{ ...user, ...member }] }),
    part: (member) => ({
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x', ...member }] }],
    }),
    image: (member) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x/a.png' }, ...member }] },
      ],
    }),
    document: (member) => ({
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'text', data: 'x' }, ...member }] }],
    }),
    call: (member) => ({
      max_tokens: 9,
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, ...member }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
      ],
    }),
    result: (member) => ({
      max_tokens: 9,
      messages: [
        user,
        claudeCalling,
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x', ...member }] },
      ],
    }),
    thought: (member) => ({
      max_tokens: 9,
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'x', signature: 'x', ...member },
            { type: 'text', text: 'x' },
          ],
        },
        user,
      ],
    }),
    tool: (member) => ({ max_tokens: 9, messages: [user], tools: [{ name: 'f', input_schema: schema, ...member }] }),
  },
  'openai-responses': {
    message: (member) => ({ input: [{ ...user, ...member }] }),
    part: (member) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', ...member }] }] }),
    image: (member) => ({
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://x/a.png', ...member }] }],
    }),
    call: (member) => ({
      input: [user, { ...responsesCall, ...member }, { type: 'function_call_output', call_id: 'c', output: 'x' }],
    }),
    result: (member) => ({
      input: [user, responsesCall, { type: 'function_call_output', call_id: 'c', output: 'x', ...member }],
    }),
    thought: (member) => ({
      input: [user, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }], ...member }, user],
    }),
    tool: (member) => ({ input: [user], tools: [{ type: 'function', name: 'f', parameters: schema, ...member }] }),
  },
  gemini: {
    content: (member) => ({ contents: [{ ...geminiUser, ...member }] }),
    part: (member) => ({ contents: [{ role: 'user', parts: [{ text: 'x', ...member }] }] }),
    'part of no known kind': (member) => ({ contents: [{ role: 'user', parts: [{ text: 'x' }, member] }] }),
    image: (member) => ({
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' }, ...member }] }],
    }),
    call: (member) => ({
      contents: [
        geminiUser,
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {}, ...member } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
      ],
    }),
    result: (member) => ({
      contents: [
        geminiUser,
        geminiCalling,
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {}, ...member } }] },
      ],
    }),
    tool: (member) => ({ contents: [geminiUser], tools: [member] }),
    function: (member) => ({ contents: [geminiUser], tools: [{ functionDeclarations: [{ name: 'f', ...member }] }] }),
  },
  'cohere-chat': {
    message: (member) => ({ messages: [{ ...user, ...member }] }),
    answer: (member) => ({ messages: [user, { role: 'assistant', content: 'x', ...member }, user] }),
    part: (member) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x', ...member }] }] }),
    function: (member) => ({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: schema, ...member } }],
    }),
  },
  'ollama-chat': {
    message: (member) => ({ messages: [{ ...user, ...member }] }),
    answer: (member) => ({ messages: [user, { role: 'assistant', content: 'x', ...member }, user] }),
    function: (member) => ({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: schema, ...member } }],
    }),
  },
}

/** Members that only their own dialect has, by the place where they stand. */
const foreign: Partial<Record<DialectId, Readonly<Record<string, readonly JsonObject[]>>>> = {
  'openai-chat': {
    message: [{ name: 'zz' }],
    answer: [{ prefix: true }, { partial: true }, { audio: { id: 'zz' } }, { name: 'zz' }],
    function: [{ strict: true }],
  },
  'anthropic-messages': {
    message: [{ clear_at: 'zz' }],
    answer: [{ citations: [{ type: 'web_search_result_location', url: 'https://x', cited_text: 'x' }] }],
    document: [{ citations: { enabled: true } }, { context: 'zz' }],
    call: [{ caller: { type: 'code_execution_20250825', tool_id: 'x' } }],
    tool: [{ allowed_callers: ['zz'] }, { defer_loading: true }, { input_examples: [{ zz: 1 }] }, { strict: true }],
  },
  'openai-responses': {
    tool: [{ defer_loading: true }, { allowed_callers: ['zz'] }, { strict: true }],
  },
  gemini: {
    part: [{ partMetadata: { a: 'x' } }, { speechMetadata: { a: 'x' } }],
    image: [{ videoMetadata: { fps: 2 } }, { mediaResolution: { level: 'X' } }, { mediaProcessing: { a: 1 } }],
    result: [{ willContinue: true }, { scheduling: 'SILENT' }],
    function: [
      { behavior: 'NON_BLOCKING' },
      { response: { type: 'OBJECT' } },
      { responseJsonSchema: { type: 'object' } },
    ],
  },
}

const translate = (client: DialectId, upstream: DialectId, body: JsonObject) => {
  const translated = translationOf(client, upstream)?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm')
  if (!translated) throw new Error('both chat')
  return translated
}

/** A request that is named so has nothing before its last message. */
const allBefore = 'messages before the last one'

function isLost(client: DialectId, upstream: DialectId, body: JsonObject, without: JsonObject): boolean {
  try {
    const { warnings, body: sent } = translate(client, upstream, body)
    const usual = new Set(translate(client, upstream, without).warnings)
    if (JSON.stringify(sent) !== JSON.stringify(translate(client, upstream, without).body)) return false
    return !warnings.some((warning) => !usual.has(warning) || warning === allBefore)
  } catch (error) {
    if (error instanceof DialectError) return error.message === ''
    throw error
  }
}

const upstreams = Object.keys(upstreamCodecs) as DialectId[]
const pairs = (Object.keys(members) as DialectId[]).flatMap((client) =>
  upstreams.filter((upstream) => upstream !== client).map((upstream) => [client, upstream] as const),
)

const lostIn = (client: DialectId, upstream: DialectId, places: Places = {}, unknown: readonly JsonObject[]) =>
  Object.entries(places).flatMap(([place, bodyWith]) =>
    unknown.some((one) => isLost(client, upstream, bodyWith(one), bodyWith({}))) ? [place] : [],
  )

test('a conversation of more parts than any window holds is refused', () => {
  const content = Array.from({ length: 32_768 }, () => ({ type: 'text', text: 'x' }))
  const messages = [{ role: 'user', content }, user]
  expect(() => translate('openai-chat', 'gemini', { messages })).toThrow('more than 32768 parts')
  expect(() => translate('openai-chat', 'gemini', { messages: messages.slice(0, 1) })).not.toThrow()
})

test('calls whose arguments have more elements together than models write are refused', () => {
  const list = `{"a":[${'1,'.repeat(150_000)}1]}`
  const callWith = (text: string) => ({ type: 'function', function: { name: 'f', arguments: text } })
  const messages = (...texts: string[]) => [
    user,
    { role: 'assistant', tool_calls: texts.map((text, id) => ({ id: `c${id}`, ...callWith(text) })) },
  ]
  const send = (...texts: string[]) => translate('openai-chat', 'gemini', { messages: messages(...texts) })
  expect(() => send(list, list, list, list)).toThrow('more than 500000 elements')
  expect(() => send(list, list, list)).not.toThrow()
  const digits = `{"a":${'1'.repeat(1_500_000)}}`
  expect(() => send(digits, digits, digits)).toThrow('more than 500000 elements')
  expect(() => send(JSON.stringify({ a: '1,'.repeat(600_000) }))).not.toThrow()
})

describe.each(pairs)('a client of %s over an upstream of %s', (client, upstream) => {
  test('unknown kinds and members are carried, refused or named, whatever they are called', () => {
    expect(lostIn(client, upstream, kinds[client], unknownKinds)).toEqual([])
    expect(lostIn(client, upstream, members[client], unknownMembers)).toEqual([])
  })

  test('members that only their own dialect has are carried, refused or named', () => {
    const lost = Object.entries(foreign[client] ?? {}).flatMap(([place, some]) =>
      some.filter((member) => {
        const bodyWith = members[client]?.[place]
        return bodyWith === undefined || isLost(client, upstream, bodyWith(member), bodyWith({}))
      }),
    )
    expect(lost).toEqual([])
  })
})
