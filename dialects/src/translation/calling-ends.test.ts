import { expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'
import { plainOptions as options } from './test/answers'

const called = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }

/** A call of a tool by a host that ends its turn as any other, as hosts that follow a dialect do. */
const upstreams: readonly (readonly [DialectId, JsonObject])[] = [
  ['openai-chat', { choices: [{ index: 0, message: { tool_calls: [called] }, finish_reason: 'stop' }] }],
  [
    'openai-responses',
    { status: 'completed', output: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a":1}' }] },
  ],
  [
    'anthropic-messages',
    { content: [{ type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } }], stop_reason: 'end_turn' },
  ],
  [
    'gemini',
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] }, finishReason: 'STOP' }] },
  ],
  [
    'bedrock-converse',
    {
      output: { message: { content: [{ toolUse: { toolUseId: 'a', name: 'f', input: { a: 1 } } }] } },
      stopReason: 'end_turn',
    },
  ],
  ['cohere-chat', { message: { tool_calls: [called] }, finish_reason: 'COMPLETE' }],
  [
    'hunyuan-chat',
    {
      Response: {
        Choices: [
          {
            Index: 0,
            Message: {
              ToolCalls: [{ Id: 'a', Type: 'function', Index: 0, Function: { Name: 'f', Arguments: '{"a":1}' } }],
            },
            FinishReason: 'stop',
          },
        ],
      },
    },
  ],
  [
    'ollama-chat',
    {
      message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
      done_reason: 'stop',
      done: true,
    },
  ],
  ['baidu-chat', { id: 'x', function_call: { name: 'f', arguments: '{"a":1}' }, finish_reason: 'normal' }],
]

/** How each client learns that it is to run tools. */
const clients: readonly (readonly [DialectId, JsonObject, RegExp])[] = [
  ['openai-chat', { messages: [{ role: 'user', content: 'hi' }] }, /"finish_reason":"tool_calls"/],
  ['anthropic-messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }, /"stop_reason":"tool_use"/],
]

const pairs = upstreams.flatMap(([upstream, answer]) => clients.map((client) => [upstream, ...client, answer] as const))

test.each(pairs)('a turn of %s that calls tools and ends as any other has a %s client run them', (...pair) => {
  const [upstream, client, body, expected, answer] = pair
  const translated = translationOf(client, upstream)?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm')
  expect(JSON.stringify(translated?.read(answer).write(noUsage, options))).toMatch(expected)
})

test.each([
  [{ content: 'hi' }, 'end_turn'],
  [{ tool_calls: [{ index: 0, ...called }] }, 'tool_use'],
])('a stream of chunks with %j and an end mark without a reason ends with %s', (delta, reason) => {
  const body = { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
  const translated = translationOf('anthropic-messages', 'openai-chat')?.({ model: 'm', ...body }, inBody, 'm')
  const tap = translated?.createTap?.(options)
  if (!tap) throw new Error('both chat in streams')
  tap.push(new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\ndata: [DONE]\n\n`))
  tap.end()
  expect(tap.isFinished).toBe(true)
  expect(new TextDecoder().decode(tap.finish(noUsage))).toContain(`"stop_reason":"${reason}"`)
})
