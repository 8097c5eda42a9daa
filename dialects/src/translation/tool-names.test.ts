import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'
import { plainOptions as options } from './test/answers'

const allowed: Partial<Record<DialectId, RegExp>> = {
  'openai-chat': /^[A-Za-z0-9_-]{1,64}$/,
  'openai-responses': /^[A-Za-z0-9_-]{1,64}$/,
  'anthropic-messages': /^[A-Za-z0-9_-]{1,64}$/,
  gemini: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
}

/** A request of each client: these tools, a forced choice of the first, and a call of each in the conversation. */
const requests: Partial<Record<DialectId, (names: readonly string[]) => JsonObject>> = {
  'openai-chat': (names) => ({
    tools: names.map((name) => ({ type: 'function', function: { name } })),
    tool_choice: { type: 'function', function: { name: names[0] } },
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        tool_calls: names.map((name, at) => ({ id: `c${at}`, type: 'function', function: { name, arguments: '{}' } })),
      },
      ...names.map((_, at) => ({ role: 'tool', tool_call_id: `c${at}`, content: 'x' })),
    ],
  }),
  'openai-responses': (names) => ({
    tools: names.map((name) => ({ type: 'function', name })),
    tool_choice: { type: 'function', name: names[0] },
    input: names.flatMap((name, at) => [
      { type: 'function_call', call_id: `c${at}`, name, arguments: '{}' },
      { type: 'function_call_output', call_id: `c${at}`, output: 'x' },
    ]),
  }),
  'anthropic-messages': (names) => ({
    max_tokens: 9,
    tools: names.map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'tool', name: names[0] },
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: names.map((name, at) => ({ type: 'tool_use', id: `c${at}`, name, input: {} })) },
      { role: 'user', content: names.map((_, at) => ({ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' })) },
    ],
  }),
  gemini: (names) => ({
    tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [names[0]] } },
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: names.map((name) => ({ functionCall: { name, args: {} } })) },
      { role: 'user', parts: names.map((name) => ({ functionResponse: { name, response: { output: 'x' } } })) },
    ],
  }),
}

const clients = Object.keys(requests) as DialectId[]
const pairs = clients.flatMap((client) =>
  clients.filter((upstream) => upstream !== client).map((upstream) => [client, upstream] as const),
)

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"(?:name|allowedFunctionNames)":\[?"((?:[^"\\]|\\.)*)"/g)].map(
    ([, name = '']) => JSON.parse(`"${name}"`) as string,
  )

function sentBy(client: DialectId, upstream: DialectId, names: readonly string[]) {
  const body = { model: 'm', ...requests[client]?.(names) }
  const translated = translationOf(client, upstream)?.(body, { ...inBody, model: 'm' }, 'm')
  if (!translated) throw new Error('both chat')
  const { tools, tool_choice, toolConfig, ...rest } = translated.body
  return { translated, declared: namesIn(tools), chosen: namesIn(tool_choice ?? toolConfig), called: namesIn(rest) }
}

/** The answer of an upstream that calls this tool: whole, and as the events of a stream. */
const answers: Partial<Record<DialectId, (name: string) => { whole: JsonObject; events: readonly JsonObject[] }>> = {
  'openai-chat': (name) => {
    const call = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: '{}' } }] }
    const choice = { index: 0, finish_reason: 'tool_calls' }
    return { whole: { choices: [{ ...choice, message: call }] }, events: [{ choices: [{ ...choice, delta: call }] }] }
  },
  'openai-responses': (name) => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c', name, arguments: '{}' }
    const response = { status: 'completed', output: [item] }
    const added = { type: 'response.output_item.added', output_index: 0, item }
    return {
      whole: response,
      events: [added, { ...added, type: 'response.output_item.done' }, { type: 'response.completed', response }],
    }
  },
  'anthropic-messages': (name) => {
    const block = { type: 'tool_use', id: 'c', name, input: {} }
    return {
      whole: { content: [block], stop_reason: 'tool_use' },
      events: [
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ],
    }
  },
  gemini: (name) => {
    const whole = { candidates: [{ content: { parts: [{ functionCall: { name, args: {} } }] }, finishReason: 'STOP' }] }
    return { whole, events: [whole] }
  },
}

const long = 'x'.repeat(91)
/** Too long, and such as servers of MCP have. */
const awkward = [
  long,
  `${long}y`,
  'mcp.server:tool',
  'a/b c',
  '1st',
  'ärger',
  'plain',
  'calendar.respondToEvent',
  'calendar_respondToEvent',
  'user-profile/update',
  'Dockerfile problems scanner',
  '查询天气',
]

describe.each(pairs)('names of tools of a %s client over %s', (client, upstream) => {
  test('names are cut to what the upstream takes, differ from one another, and are the same everywhere', () => {
    const { declared, chosen, called } = sentBy(client, upstream, awkward)
    const rule = allowed[upstream] ?? /^$/
    expect(declared.filter((name) => !rule.test(name))).toEqual([])
    expect(new Set(declared).size).toBe(awkward.length)
    expect(declared).toContain('plain')
    expect(chosen).toEqual(declared.slice(0, 1))
    expect(new Set(called)).toEqual(new Set(declared))
  })

  test('names are restored in answers and streams', () => {
    const { translated, declared } = sentBy(client, upstream, awkward)
    awkward.forEach((name, at) => {
      const upstreamAnswer = answers[upstream]?.(declared[at] ?? '')
      expect(JSON.stringify(translated.read(upstreamAnswer?.whole ?? {}).write(noUsage, options))).toContain(
        `"name":"${name}"`,
      )
      const tap = translated.createTap?.(options)
      const parts = (upstreamAnswer?.events ?? []).map(
        (event) => tap?.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`)) ?? Buffer.of(),
      )
      tap?.end()
      expect(Buffer.concat([...parts, tap?.finish(null) ?? Buffer.of()]).toString()).toContain(`"name":"${name}"`)
    })
  })
})

test('a name becomes the same one whichever tools stand beside it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 80 }), { maxLength: 5 }), (others) => {
      const names = [long, ...others.filter((name) => name !== long)]
      const { declared } = sentBy('openai-chat', 'anthropic-messages', names)
      expect(declared[0]).toBe(sentBy('openai-chat', 'gemini', [long]).declared[0] ?? '')
      expect(new Set(declared).size).toBe(names.length)
    }),
  )
})
