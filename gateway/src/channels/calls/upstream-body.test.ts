import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { scanRequest } from '@tollgate/dialects'

import { withAddedMember, withGrownMember, withOtherModel } from './upstream-body'

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('splicing', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue())

  test('splicing changes the model and nothing else', () => {
    let spliced = 0
    fc.assert(
      fc.property(json, fc.string(), fc.string(), fc.constantFrom(0, 1, 2, '\t'), (rest, from, to, space) => {
        const body = { ...rest, model: from }
        const text = JSON.stringify(body, null, space)
        const result = withOtherModel(text, scanRequest(text).modelColon, from, to)
        // Null means that the text is serialized anew; it must never be wrong.
        if (result === null) return
        spliced += 1
        expect(JSON.parse(result)).toEqual({ ...parse(text), model: to })
      }),
    )
    expect(spliced).toBeGreaterThan(20)
  })

  test('splicing returns null for a model written in another form', () => {
    for (const text of ['{"model":"\\u0061"}', '{"mod\\u0065l":"a"}', '{"x":"model"}', '{"x":{"model":"a"}}'])
      expect(withOtherModel(text, scanRequest(text).modelColon, 'a', 'b')).toBeNull()
  })

  test('splicing adds a member at the end', () => {
    fc.assert(
      fc.property(json, (rest) => {
        const body = { ...rest, model: 'a' }
        const text = `${JSON.stringify(body)} \n`
        expect(JSON.parse(withAddedMember(text, 'added', { x: 1 }))).toEqual({ ...parse(text), added: { x: 1 } })
      }),
    )
  })

  test('splicing adds a member to a nested object and changes nothing else', () => {
    let spliced = 0
    fc.assert(
      fc.property(json, json, fc.constantFrom(0, 1, '\t'), (rest, inner, space) => {
        const text = JSON.stringify({ ...rest, config: inner }, null, space)
        const result = withGrownMember(text, 'config', inner, { ...inner, added: 7 })
        if (result === null) return
        spliced += 1
        expect(JSON.parse(result)).toEqual({
          ...parse(text),
          config: { ...(parse(text)['config'] as object), added: 7 },
        })
      }),
    )
    expect(spliced).toBeGreaterThan(20)
    expect(withGrownMember('{"c": { }}', 'c', {}, { a: 1 })).toBe('{"c": {"a":1 }}')
    expect(withGrownMember('{"c":{"b":1.0}}', 'c', { b: 1 }, { b: 1, a: 2 })).toBe('{"c":{"a":2,"b":1.0}}')
  })

  test('splicing returns null for an object that changes in another way or whose name occurs twice', () => {
    expect(withGrownMember('{"c":{"b":1}}', 'c', { b: 1 }, { b: 2 })).toBeNull()
    expect(withGrownMember('{"c":{"b":1}}', 'c', { b: 1 }, { b: 1, a: 1, d: 1 })).toBeNull()
    expect(withGrownMember('{"c":{"b":1}}', 'c', { b: 1 }, { a: 1 })).toBeNull()
    expect(withGrownMember('{"d":{"c":{}},"c":{}}', 'c', {}, { a: 1 })).toBeNull()
    expect(withGrownMember('{"c":[]}', 'c', [], { a: 1 })).toBeNull()
  })
})
