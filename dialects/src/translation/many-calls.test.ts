import { expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { plainOptions } from './test/answers'
import { translationOf } from './translation'

const requests = {
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
} as const

const callOf = (index: number) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: `n${index}x`, arguments: '{}' },
})
const eventOf = (delta: object) => Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)

test.each(['openai-responses', 'anthropic-messages', 'gemini'] as const)(
  'calls of tools beyond those that any model makes are left out for a client of %s',
  (client) => {
    const translated = translationOf(client, 'openai-chat')?.(
      { model: 'm', ...requests[client] },
      { ...inBody, model: 'm' },
      'm',
    )
    const tap = translated?.createTap?.({ ...plainOptions, newId: (prefix) => `${prefix}1` })
    const parts = Array.from(
      { length: 5000 },
      (_, index) => tap?.push(eventOf({ tool_calls: [callOf(index)] })) ?? new Uint8Array(0),
    )
    tap?.end()
    const stream = Buffer.concat([...parts, tap?.finish(null) ?? new Uint8Array(0)]).toString()
    expect(new Set(stream.match(/n\d+x/g)).size).toBe(4096)
  },
)
