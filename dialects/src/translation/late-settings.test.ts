import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { translationOf } from './translation'

function translate(client: DialectId, upstream: DialectId, body: JsonObject, model = 'gpt-6-luna') {
  const translated = translationOf(client, upstream)?.({ model, ...body }, { ...inBody, model }, model)
  if (!translated) throw new Error(`${client} does not reach ${upstream}`)
  return translated
}

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const effort = (value: unknown, content: unknown = []) => ({
  role: 'system',
  content,
  output_config: { effort: value },
})

// https://platform.claude.com/docs/en/build-with-claude/effort-per-message
describe('an effort that a message sets', () => {
  const call = assistant([{ type: 'tool_use', id: 'c', name: 'f', input: {} }])
  const result = user([{ type: 'tool_result', tool_use_id: 'c', content: 'x' }])

  test.each([
    ['before the next turn', [user('a'), assistant('b'), effort('low'), user('c')], 'low'],
    ['behind the last turn', [user('a'), assistant('b'), user('c'), effort('low')], 'low'],
    [
      'twice, of which the later counts',
      [effort('low'), user('a'), assistant('b'), effort('xhigh'), user('c')],
      'xhigh',
    ],
    ['beside words', [user('a'), effort('low', 'Be short.'), user('b')], 'low'],
    ['within a turn, from the next on', [user('a'), call, effort('low'), result], 'high'],
    ['in an unknown word', [user('a'), effort('much'), user('b')], 'high'],
    ['nowhere', [user('a')], 'high'],
  ])('%s, is in force', (_what, messages, expected) => {
    const request = { output_config: { effort: 'high' }, max_tokens: 9, messages }
    const { body } = translate('anthropic-messages', 'openai-chat', request)
    expect(body['reasoning_effort']).toBe(expected)
    expect(JSON.stringify(body['messages'])).not.toContain('output_config')
  })

  test('a message with nothing else is left out', () => {
    const messages = [user('a'), assistant('b'), effort('low'), user('c')]
    const { body } = translate('anthropic-messages', 'openai-chat', { max_tokens: 9, messages })
    expect(body['messages']).toEqual([user('a'), assistant('b'), user('c')])
  })
})

// `clear_at` of BetaSystemMessageParam, in the types of @anthropic-ai/sdk 1.14.0
test.each([
  ['the turn that it is for', [user('a'), { clear_at: 'next_user_message' }], true],
  ['a later turn', [user('a'), { clear_at: 'next_user_message' }, assistant('b'), user('c')], false],
  ['a later turn, though it stays', [user('a'), { clear_at: 'never' }, assistant('b'), user('c')], true],
])('a message of the system is shown in %s as it says', (_what, turns, isShown) => {
  const messages = turns.map((turn) =>
    'clear_at' in turn ? { role: 'system', content: 'It is late.', ...turn } : turn,
  )
  const { body } = translate('anthropic-messages', 'gemini', { max_tokens: 9, messages }, 'gemini-3-pro')
  expect(JSON.stringify(body).includes('It is late.')).toBe(isShown)
})

// `configuration_update`, in the types of openai 7.59.0
describe('an item that changes settings', () => {
  const item = (settings: JsonObject) => ({ type: 'configuration_update', ...settings })
  const format = { type: 'json_schema', name: 'n', schema: { type: 'object', properties: {} } }

  test('sets the effort and the format, the last of each', () => {
    const input = [
      item({ reasoning: { effort: 'high' }, text: { format } }),
      user('a'),
      item({ reasoning: { effort: 'low' } }),
      user('b'),
    ]
    const { body, warnings } = translate('openai-responses', 'openai-chat', { reasoning: { effort: 'medium' }, input })
    expect(body).toMatchObject({ reasoning_effort: 'low', response_format: { json_schema: { name: 'n' } } })
    expect(body['messages']).toEqual([user('a'), user('b')])
    expect(warnings).toEqual([])
  })

  test('goes back to plain text', () => {
    const input = [user('a'), item({ text: { format: { type: 'text' } } }), user('b')]
    const { body } = translate('openai-responses', 'openai-chat', { text: { format }, input })
    expect(body).not.toHaveProperty('response_format')
  })
})
