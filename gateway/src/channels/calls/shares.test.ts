import { expect, test } from 'bun:test'

import fc from 'fast-check'
import type { JsonObject } from '@tollgate/dialects'

import { bodyOf } from './parsed-body'
import type { Prepared } from './prepare'
import type { RequestedCall } from './requested-call'
import { divisionOf, withShares } from './shares'

const whole = (maxImages: number) =>
  ({
    description: { dialect: 'gemini-images', url: () => '', acceptsStreamOptions: false, maxImages },
  }) as unknown as Prepared

const callOf = (json: JsonObject): RequestedCall => ({
  mode: 'images',
  dialect: 'openai-images',
  pathContext: { model: '', isStream: false },
  isStream: true,
  body: bodyOf(json),
  path: '/v1/images/generations',
})

const drawing = callOf({ model: 'm', prompt: 'ice' })

/** The bodies of the calls that are made for this many images. */
function bodies(choices: number, maxImages: number, seed: number): JsonObject[] {
  const found: JsonObject[] = []
  const call = callOf({ model: 'm', prompt: 'ice', n: choices, seed, stream: true, partial_images: 2 })
  const { shares = [] } = withShares(
    whole(maxImages),
    call,
    { total: choices, max: maxImages, of: 'images' },
    (share) => {
      expect(share.isStream).toBe(false)
      found.push(share.body.json)
      return whole(maxImages)
    },
  )
  for (const prepare of shares) prepare()
  return found
}

test('calls that draw together draw as many images as requested, none more than the vendor draws and none with the seed of another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 2, max: 90 }), fc.nat(1000), (max, choices, seed) => {
      fc.pre(choices > max && choices <= max * 10)
      expect(divisionOf(whole(max), drawing, choices)).toEqual({ total: choices, max: max, of: 'images' })
      const calls = bodies(choices, max, seed)
      const counts = calls.map(({ n }) => Number(n))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(choices)
      expect(counts.every((count) => count >= 1 && count <= max)).toBe(true)
      const seeds = calls.flatMap((call, at) =>
        Array.from({ length: counts[at] ?? 0 }, (_, i) => Number(call['seed']) + i),
      )
      expect(new Set(seeds).size).toBe(choices)
      expect(calls.every((call) => !('stream' in call) && !('partial_images' in call))).toBe(true)
    }),
  )
})

test('a call within what the vendor draws is made as it is', () => {
  expect(divisionOf(whole(4), drawing, 4)).toBeNull()
  expect(divisionOf({ description: {} } as Prepared, drawing, 100)).toBeNull()
})

test('a call with more inputs than the vendor embeds in one is divided by them, whatever their number', () => {
  const description = { dialect: 'volcengine-embeddings', maxInputs: 2 }
  const embedding = { description } as unknown as Prepared
  const call = (count: number): RequestedCall => ({
    ...callOf({ model: 'm', input: Array.from({ length: count }, String) }),
    mode: 'embeddings',
    dialect: 'openai-embeddings',
  })
  expect(divisionOf(embedding, call(2), 1)).toBeNull()
  const division = divisionOf(embedding, call(101), 1)
  expect(division).toEqual({ total: 101, max: 2, of: 'inputs' })
  if (!division) throw new Error('The call is not divided')
  const inputs: unknown[] = []
  const { shares = [] } = withShares(embedding, call(101), division, (share) => {
    inputs.push(share.body.json['input'])
    return embedding
  })
  for (const prepare of shares) prepare()
  expect(inputs.flat()).toEqual(Array.from({ length: 101 }, String))
  expect(inputs).toHaveLength(51)
})
