import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { mayRepeatMembers, withAddedMember, withOtherModel } from './upstream-body'

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('a body that may mean two things', () => {
  test.each([
    '{"model":"a","model":"b"}',
    '{"model":"a","mod\\u0065l":"b"}',
    '{"model":"a","MODEL":1,"messages":[],"messages":[1]}',
    '{"model":"a","max_tokens":1, "max_tokens" :2}',
  ])('%s is suspected', (text) => expect(mayRepeatMembers(text, parsed(text))).toBe(true))

  test.each([
    '{"model":"a","messages":[{"role":"user","content":"say \\"model\\" \\u00e9"}]}',
    '{"model":"a","stream":true,"n":1,"tools":[]}',
  ])('%s is not', (text) => expect(mayRepeatMembers(text, parsed(text))).toBe(false))
})

describe('a splice', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue())

  test('changes the model and nothing else', () => {
    fc.assert(
      fc.property(json, fc.string(), fc.string(), fc.constantFrom(0, 1, 2, '\t'), (rest, from, to, space) => {
        const body = { ...rest, model: from }
        const text = JSON.stringify(body, null, space)
        fc.pre(!mayRepeatMembers(text, body))
        const result = withOtherModel(text, from, to)
        // Null means that the text is written anew; it must never be wrong.
        if (result !== null) expect(JSON.parse(result)).toEqual({ ...parsed(text), model: to })
      }),
    )
  })

  test('is not certain of a model written in another way', () => {
    expect(withOtherModel('{"model":"\\u0061"}', 'a', 'b')).toBeNull()
    expect(withOtherModel('{"x":"model"}', 'a', 'b')).toBeNull()
  })

  test('adds a member at the end', () => {
    fc.assert(
      fc.property(json, (rest) => {
        const body = { ...rest, model: 'a' }
        const text = `${JSON.stringify(body)} \n`
        expect(JSON.parse(withAddedMember(text, 'added', { x: 1 }))).toEqual({ ...parsed(text), added: { x: 1 } })
      }),
    )
  })
})
