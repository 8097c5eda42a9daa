import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { isObject } from '../json'
import { aCall, anAnswering } from '../neutral/test/fixtures'
import { bodiesLike, survive } from '../neutral/test/survive'
import { openAiChatCodec as codec } from './codec'
import { anyAnswer, anyTurn } from './test/arbitraries'

const names = [
  'choices',
  'delta',
  'message',
  'content',
  'tool_calls',
  'function',
  'custom',
  'arguments',
  'name',
  'id',
  'index',
  'type',
  'text',
  'reasoning_details',
  'reasoning_content',
  'signature',
  'data',
  'audio',
  'images',
  'image_url',
  'url',
  'usage',
  'annotations',
  'url_citation',
  'finish_reason',
  'logprobs',
  'error',
  'role',
  'model',
  'messages',
  'tools',
  'thinking',
  'tool_call_id',
  'response_format',
  'stop',
  'web_search_options',
  'tool_choice',
  'allowed_tools',
  'file',
  'input_audio',
] as const
const values = [
  'tool',
  'assistant',
  'user',
  'function',
  'custom',
  'text',
  'image_url',
  'reasoning.text',
  'reasoning.encrypted',
  'stop',
  'data:image/png;base64,AA',
  '{"a":1}',
  'allowed_tools',
  '__proto__',
] as const
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom(...values),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
}))
const anyBody = anyJson.filter(isObject)

const replacement = fc.oneof(
  fc.constantFrom(...values, null, true, -1, 1e99, '', 'x'),
  fc.constantFrom(...names).map((name) => ({ [name]: [{ type: name }] })),
  fc.constant([[], {}, null]),
)
const answers = anyAnswer.map((events) => codec.writeAnswer(events, anAnswering()))
const bodies = fc
  .array(anyTurn, { minLength: 1, maxLength: 2 })
  .map((turns) => codec.writeCall(aCall({ model: 'google/gemini-3-pro', messages: turns.flat() }), () => {}))

test('nothing that an upstream or a client says breaks a reader', () => {
  let reads = 0
  fc.assert(
    fc.property(bodiesLike(fc.oneof(answers, bodies, anyBody), replacement), (changed) => {
      reads += changed.length
      for (const body of changed) survive(codec, body, [['gpt-5', {}]])
    }),
    { numRuns: 300 },
  )
  expect(reads).toBeGreaterThan(10_000)
}, 120_000)
