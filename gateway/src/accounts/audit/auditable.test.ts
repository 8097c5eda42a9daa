import { describe, expect, test } from 'bun:test'

import { differenceOf } from './auditable'

const after = (value: unknown, name = 'facts') => differenceOf({}, { [name]: value }).after[name]

describe('a difference', () => {
  test('only the members that differ are kept, in objects and in texts with an object too', () => {
    expect(differenceOf({ a: 1, b: 2, c: [1] }, { a: 1, b: 3, c: [1] })).toEqual({ before: { b: 2 }, after: { b: 3 } })
    expect(differenceOf({ a: 1 }, { b: 2 })).toEqual({ before: { a: 1 }, after: { b: 2 } })
    expect(differenceOf({ in: { a: 1, b: 2 } }, { in: { a: 1, b: 3 } })).toEqual({
      before: { in: { b: 2 } },
      after: { in: { b: 3 } },
    })
    expect(differenceOf({ in: '{"a":1,"b":2}' }, { in: '{"a":1,"b":3}' })).toEqual({
      before: { in: { b: 2 } },
      after: { in: { b: 3 } },
    })
    expect(differenceOf({ list: [1, 2] }, { list: [1] })).toEqual({ before: { list: [1, 2] }, after: { list: [1] } })
  })

  test.each([
    ['a secret by its name', { password: 'plain' }, { password: '[hidden]' }],
    ['a secret within an object', { in: { api_key: 'plain', url: 'u' } }, { in: { api_key: '[hidden]', url: 'u' } }],
    ['a secret within a text with an object', { in: '{"token":"plain"}' }, { in: { token: '[hidden]' } }],
    ['an object that is a secret as a whole', { key: '{"client_email":"plain"}' }, { key: '[hidden]' }],
    ['a list that is a secret as a whole', { keys: ['plain'] }, { keys: '[hidden]' }],
    ['a secret by its form', { text: 'with sk-abcdefgh12' }, { text: 'with [hidden]' }],
    ['an empty secret', { password: '' }, { password: '' }],
  ])('%s is kept as %#', (_name, now, expected) => {
    expect(differenceOf({}, now).after).toEqual(expected)
    expect(JSON.stringify(differenceOf(now, {}))).not.toContain('plain')
  })

  test('an object that is a secret as a whole shows nothing when a part of it changes', () => {
    for (const [was, is] of [
      ['{"client_email":"first","n":1}', '{"client_email":"second","n":1}'],
      [{ client_email: 'first' }, { client_email: 'second' }],
    ] as const)
      expect(differenceOf({ key: was }, { key: is })).toEqual({
        before: { key: '[hidden]' },
        after: { key: '[hidden]' },
      })
  })
})

describe('what is kept of a value', () => {
  test('texts end after 500 characters, lists and objects after 50 members', () => {
    expect(after('x'.repeat(500))).toBe('x'.repeat(500))
    expect(after('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`)
    const many = Array.from({ length: 51 }, (_, at) => at)
    expect(after(many)).toEqual(many.slice(0, 50))
    expect(Object.keys(Object(after(Object.fromEntries(many.map((at) => [`m${at}`, at])))))).toHaveLength(50)
  })

  test('objects end at the fifth level', () => {
    expect(after({ a: { b: { c: { d: { e: {} } } } } })).toEqual({ a: { b: { c: { d: { e: '…' } } } } })
  })

  test('a text that the database cannot keep loses what it cannot keep', () => {
    expect(after('a\0b')).toBe('ab')
  })

  test('a text without an object stays a text', () => {
    expect([after('{broken'), after('[1]'), after(''), after(null), after(true)]).toEqual([
      '{broken',
      '[1]',
      '',
      null,
      true,
    ])
  })
})
