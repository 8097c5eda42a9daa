import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { noUsage } from '../usage'
import { readUsage, usageBody, usageIn } from './usage'

describe('usage', () => {
  test.each([
    [
      { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      { input_tokens: 5, output_tokens: 7 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      { prompt_tokens: 0, input_tokens: 5, output_tokens: 1 },
      { promptTokens: 5, completionTokens: 1 },
    ],
    [{ prompt_tokens: 5, total_tokens: 5 }, { promptTokens: 5 }],
    [
      {
        prompt_tokens: 9,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 2, image_tokens: 1 },
      },
      { promptTokens: 9, completionTokens: 1, cachedTokens: 4, audioInputTokens: 2, imageTokens: 1 },
    ],
    [
      {
        input_tokens: 9,
        output_tokens: 3,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 2 },
      },
      { promptTokens: 9, completionTokens: 3, cachedTokens: 4, reasoningTokens: 2 },
    ],
    [
      {
        prompt_tokens: 9,
        completion_tokens: 3,
        completion_tokens_details: { audio_tokens: 2, reasoning_tokens: null },
      },
      { promptTokens: 9, completionTokens: 3, audioOutputTokens: 2 },
    ],
    [
      { prompt_tokens: 9, completion_tokens: 3, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 },
      { promptTokens: 9, completionTokens: 3, cachedTokens: 8 },
    ],
    [
      { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: null },
      { promptTokens: 9, completionTokens: 3 },
    ],
  ])('a reported usage is read: %j', (usage, expected) => {
    expect(readUsage(usage)).toEqual({ ...noUsage, ...expected })
  })

  test.each([
    [{ prompt_tokens: -5, completion_tokens: -7 }],
    [{ prompt_tokens: 5, completion_tokens: -7 }],
    [{ prompt_tokens: 1e18, completion_tokens: 1 }],
    [{ prompt_tokens: '12', completion_tokens: 'many' }],
    [{ prompt_tokens: 1.5, completion_tokens: 2 }],
    [{ prompt_tokens: Number.NaN, completion_tokens: 2 }],
    [{ prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: -1 } }],
    [{ prompt_tokens: null, completion_tokens: null }],
    [{}],
    [null],
    [[]],
    ['usage'],
  ])('a usage of impossible counts is not believed: %j', (usage) => {
    expect(readUsage(usage)).toBeNull()
  })

  test('names the tier that served the call', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 }
    expect(usageIn({ usage, service_tier: 'priority' })?.details).toEqual({ service_tier: 'priority' })
    expect(usageIn({ usage, service_tier: null })?.details).toBeUndefined()
    expect(usageIn({ usage, service_tier: 'x'.repeat(1000) })?.details).toBeUndefined()
  })

  test('stands in the answer, or in its first choice', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 }
    expect(usageIn({ usage })?.completionTokens).toBe(2)
    expect(usageIn({ choices: [{ usage }] })?.completionTokens).toBe(2)
    expect(usageIn({ choices: [{}] })).toBeNull()
  })

  test('a usage survives being written and read', () => {
    const count = fc.integer({ min: 1, max: 1e6 })
    fc.assert(
      fc.property(
        fc.record({ promptTokens: count, completionTokens: count, cachedTokens: count, reasoningTokens: count }),
        ({ cachedTokens, reasoningTokens, ...totals }) => {
          const some = {
            ...totals,
            cachedTokens: Math.min(cachedTokens, totals.promptTokens),
            reasoningTokens: Math.min(reasoningTokens, totals.completionTokens),
          }
          expect(readUsage(usageBody({ ...noUsage, ...some }))).toEqual({ ...noUsage, ...some })
        },
      ),
    )
  })
})
