import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { DialectError } from '../../dialect-error'
import { isObject, type JsonObject } from '../../json'
import { aCall, anAnswering } from '../../neutral/test/fixtures'
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

/** A body with one of its values replaced, wherever it lies. */
function mutated(value: unknown, path: number, by: unknown): unknown {
  if (path <= 0 || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  const at = path % Math.max(entries.length, 1)
  const changed = entries.map(([name, member], index) => [
    name,
    index === at ? mutated(member, Math.floor(path / Math.max(entries.length, 1)) - 1, by) : member,
  ])
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
}

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
  const changes = fc.array(fc.tuple(fc.nat(), replacement), { minLength: 50, maxLength: 50 })
  let reads = 0
  fc.assert(
    fc.property(fc.oneof(answers, bodies, anyBody), changes, (body, all) => {
      for (const [path, by] of all) {
        const changed = mutated(body, path, by)
        if (!isObject(changed)) continue
        reads += 1
        survive(changed)
      }
    }),
    { numRuns: 300 },
  )
  expect(reads).toBeGreaterThan(10_000)
}, 20_000)

function survive(body: JsonObject): void {
  const events = codec.readAnswer(body)
  codec.writeAnswer(events, anAnswering())
  const reader = codec.createReader()
  const data = JSON.stringify(body)
  codec
    .createWriter(anAnswering())
    .write([...reader.read({ name: '', data }), ...reader.read({ name: '', data }), ...reader.end()])
  try {
    codec.writeCall(codec.readCall(body, { model: 'gpt-5', isStream: false }), () => {})
  } catch (error) {
    expect(error).toBeInstanceOf(DialectError)
  }
}
