import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { aTarget } from './fixture'
import { shapeMistral, toolCallId } from './mistral-shape'

test('an id that fits stays', () => expect(toolCallId('a1B2c3D4e')).toBe('a1B2c3D4e'))

test('every other id becomes one that fits, always the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (id) => {
      const short = toolCallId(id)
      expect(short).toMatch(/^[0-9a-zA-Z]{9}$/)
      expect(toolCallId(short)).toBe(short)
      expect(toolCallId(id)).toBe(short)
    }),
  )
})

test('different ids stay different', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => toolCallId(`call_${index}`))
  expect(new Set(ids).size).toBe(ids.length)
})

// https://github.com/mistralai/client-ts: RequestedServiceTier and ReasoningEffort of version 2.7.0
test.each<[object, object, readonly string[]]>([
  [{ service_tier: 'auto' }, { service_tier: 'auto' }, []],
  [{ service_tier: 'default' }, { service_tier: 'standard_only' }, []],
  [{ service_tier: 'flex' }, {}, ['service_tier']],
  [{ reasoning_effort: 'xhigh' }, { reasoning_effort: 'xhigh' }, []],
  [{ reasoning_effort: 'max' }, { reasoning_effort: 'xhigh' }, ['the effort max, which is xhigh']],
])('%j is for Mistral %j', (members, expected, leftOut) => {
  const shaped = shapeMistral({ ...members }, aTarget({ model: 'mistral-medium-latest' }))
  expect(shaped.body).toEqual({ ...expected })
  expect(shaped.leftOut ?? []).toEqual([...leftOut])
})
