import type { PriceEntry } from '@tollgate/models'
import { describe, expect, test } from 'bun:test'

import { changedEntry } from './changed-entry'
import { presentValue } from './decide'

const night = { name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.5 }
const entry: PriceEntry = {
  prices: { input: 2, output: 8 },
  ratios: { cache_read: 0.1 },
  tiers: [{ above: 200, prices: { input: 4 } }],
  modes: [
    { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 },
    { name: 'fast', match: { speed: 'fast' }, prices: { output: 40 } },
  ],
  schedules: [night],
}

describe('a field of an entry', () => {
  test.each<[string, unknown]>([
    ['input', 2],
    ['cache_read', 0.2],
    ['reasoning', 8],
    ['per_image', null],
    ['kind', 'tokens'],
    ['tier:200:input', 4],
    ['tier:200:output', 8],
    ['tier:100:input', 2],
    ['mode:flex:factor', 0.5],
    ['mode:fast:factor', 1],
    ['mode:fast:output', 40],
    ['mode:fast:input', 2],
    ['mode:fast', { name: 'fast', match: { speed: 'fast' }, prices: { output: 40 } }],
    ['mode:slow', null],
    ['mode:slow:factor', null],
    ['schedules', [night]],
    ['of a later release', null],
    ['tier:200:later', null],
    ['mode:fast:later', null],
  ])('%s is %j', (field, value) => {
    expect(presentValue(entry, field)).toEqual(value as never)
    expect(presentValue(null, field)).toBeNull()
  })

  test.each<[string, number]>([
    ['input', 3],
    ['cache_read', 0.4],
    ['image_in', 7],
    ['per_image', 0.04],
    ['tier:200:input', 5],
    ['tier:200:output', 16],
    ['tier:900:input', 6],
    ['mode:flex:factor', 0.25],
    ['mode:fast:output', 50],
    ['mode:fast:input', 9],
  ])('%s has the value %d once it is changed, and nothing else costs anything else', (field, after) => {
    const changed = changedEntry(entry, [{ field, after }])
    expect(presentValue(changed, field)).toBe(after)
    const own = field.split(':').at(-1) ?? ''
    for (const other of ['input', 'output', 'cache_read', 'tier:200:input', 'mode:flex:factor', 'mode:fast:output'])
      if (!other.endsWith(own))
        expect([other, presentValue(changed, other)]).toEqual([other, presentValue(entry, other)])
    expect(changed.schedules).toEqual([night])
  })
})

describe('a changed entry', () => {
  test('a price that followed from a changed one stays as it is charged now', () => {
    expect(changedEntry(entry, [{ field: 'input', after: 3 }])).toMatchObject({
      prices: { input: 3, output: 8, cache_read: 0.2 },
    })
    expect(changedEntry({ prices: { input: 2 } }, [{ field: 'input', after: 3 }]).prices).toEqual({
      input: 3,
      output: 2,
      cache_read: 2,
    })
    expect(changedEntry(entry, [{ field: 'input', after: 3 }])).not.toHaveProperty('ratios')
  })

  test('a new entry has the changes alone, in one or in several fields', () => {
    const changes = [
      { field: 'input', after: 1 },
      { field: 'tier:300:input', after: 3 },
      { field: 'tier:200:input', after: 2 },
      { field: 'mode:flex', after: { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 } },
      { field: 'mode:none:factor', after: 2 },
    ]
    expect(changedEntry(null, changes)).toEqual({
      prices: { input: 1 },
      tiers: [
        { above: 200, prices: { input: 2 } },
        { above: 300, prices: { input: 3 } },
      ],
      modes: [{ name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 }],
    })
  })

  test('a mode that exists is replaced in its place', () => {
    const after = { name: 'flex', match: { service_tier: 'flex' }, factor: 0.75 }
    expect(
      changedEntry(entry, [{ field: 'mode:flex', after }]).modes?.map(({ name, factor }) => [name, factor]),
    ).toEqual([
      ['flex', 0.75],
      ['fast', undefined],
    ])
  })

  test('a class of a later release is an error, not a price', () => {
    expect(() => changedEntry(entry, [{ field: 'later', after: 1 }])).toThrow(TypeError)
    expect(() => changedEntry(entry, [{ field: 'tier:200:later', after: 1 }])).toThrow(TypeError)
  })
})
