import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { scanRequest } from '@tollgate/dialects'

import { withAddedMember, withOtherModel } from './upstream-body'

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('a splice', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue())

  test('changes the model and nothing else', () => {
    fc.assert(
      fc.property(json, fc.string(), fc.string(), fc.constantFrom(0, 1, 2, '\t'), (rest, from, to, space) => {
        const body = { ...rest, model: from }
        const text = JSON.stringify(body, null, space)
        const result = withOtherModel(text, scanRequest(text).modelColon, from, to)
        // Null means that the text is written anew; it must never be wrong.
        if (result !== null) expect(JSON.parse(result)).toEqual({ ...parsed(text), model: to })
      }),
    )
  })

  test('is not certain of a model written in another way', () => {
    for (const text of ['{"model":"\\u0061"}', '{"mod\\u0065l":"a"}', '{"x":"model"}', '{"x":{"model":"a"}}'])
      expect(withOtherModel(text, scanRequest(text).modelColon, 'a', 'b')).toBeNull()
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
