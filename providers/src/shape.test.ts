import { isObject } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { providers } from './index'
import { mapObjects, onlyMembers, renameMember, withMember, withoutMembers } from './shape'
import { aTarget } from './vendors/fixture'

describe('a change', () => {
  const body = { model: 'm', temperature: 0, user: null }

  test('gives the same object back when nothing changes', () => {
    expect(withMember(body, 'temperature', 0)).toBe(body)
    expect(withoutMembers(body, 'top_p', 'seed')).toBe(body)
    expect(onlyMembers(body, new Set(['model', 'temperature', 'user', 'stop']))).toBe(body)
    expect(renameMember(body, 'max_tokens', 'max_completion_tokens')).toBe(body)
    const messages = { messages: [{ role: 'user' }, 'odd'] }
    expect(mapObjects(messages, 'messages', (message) => message)).toBe(messages)
    expect(mapObjects(body, 'model', (item) => ({ ...item }))).toBe(body)
  })

  test('sets a member to undefined where it was absent', () => {
    expect('stop' in withMember(body, 'stop', undefined)).toBe(true)
  })

  test.each([
    [{ a: 5 }, { b: 5 }],
    [{ a: 0 }, { b: 0 }],
    [{ a: null }, {}],
    [{ a: 5, b: 3 }, { b: 3 }],
    [{ a: 5, b: 0 }, { b: 5 }],
    [{ a: 5, b: null }, { b: 5 }],
  ])('renames %j to %j', (from, to) => {
    expect(renameMember(from, 'a', 'b')).toEqual(to)
  })
})

const anyJson = fc.jsonValue({ maxDepth: 2 })

const message = fc.record(
  {
    role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 7),
    content: fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('text'), text: fc.string() }),
          fc.record({ type: fc.constant('image_url'), image_url: fc.oneof(fc.record({ url: fc.webUrl() }), anyJson) }),
          anyJson,
        ),
        { maxLength: 3 },
      ),
    ),
    tool_call_id: fc.oneof(fc.string(), anyJson),
    tool_calls: fc.oneof(fc.array(fc.oneof(fc.record({ id: fc.string() }), anyJson), { maxLength: 3 }), anyJson),
    other: anyJson,
  },
  { requiredKeys: [] },
)

const body = fc.record(
  {
    messages: fc.oneof(fc.array(fc.oneof(message, anyJson), { maxLength: 4 }), anyJson),
    input: fc.oneof(fc.string(), fc.array(fc.string()), anyJson),
    max_tokens: anyJson,
    max_completion_tokens: anyJson,
    temperature: anyJson,
    top_p: fc.oneof(fc.double({ noNaN: true }), anyJson),
    seed: anyJson,
    reasoning_effort: anyJson,
    reasoning: anyJson,
    tools: fc.oneof(fc.array(anyJson, { maxLength: 2 }), anyJson),
    search_parameters: anyJson,
    user: anyJson,
    unheard_of: anyJson,
  },
  { requiredKeys: [] },
)

const model = fc
  .tuple(
    fc.constantFrom(
      'o3',
      'o1-mini',
      'gpt-5',
      'gpt-5-chat-latest',
      'openai/o4',
      'grok-3-mini',
      'grok-3',
      'qwen',
      'claude-opus-4-7',
      'claude-3-7-sonnet',
      'gemini-2.5-pro',
      'gemini-3-pro',
      'm',
    ),
    fc.constantFrom(
      '',
      '-high',
      '-low',
      '-medium',
      '-minimal',
      '-none',
      '-xhigh',
      '-search',
      '-internet',
      '-thinking',
      '-nothinking',
    ),
    fc.constantFrom('', '', '-search'),
  )
  .map((parts) => parts.join(''))

const frozen = <T>(value: T): T => {
  if (Array.isArray(value)) value.forEach(frozen)
  else if (isObject(value)) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

/** Made once: making them takes longer than all that providers do with them. */
const samples = fc.sample(fc.tuple(body, model), 400)

describe.each(providers.map((provider) => [provider.id, provider] as const))(
  'the shape of %s',
  (_id, { modes, responses }) => {
    test('leaves its input alone and changes nothing the second time', () => {
      fc.assert(
        fc.property(fc.constantFrom(...samples), ([{ ...members }, name]) => {
          for (const described of [...Object.values(modes), responses]) {
            const target = aTarget({ model: name })
            const mode = typeof described === 'function' ? described(target) : described
            const once = mode?.shape?.(frozen({ model: name, ...members }), target)
            if (once === undefined) continue
            const { leftOut: _, ...expected } = once
            expect(mode?.shape?.(frozen(once.body), target)).toEqual(expected)
          }
        }),
        { numRuns: 200 },
      )
    })
  },
)
