import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { believedUsage, promptUsage, reportedUsage, type RawCounts } from './reported-usage'
import { noUsage } from '../usage'

const { promptTokens: _, completionTokens: __, ...noParts } = noUsage
const noCounts: RawCounts = { ...noParts, promptTokens: null, completionTokens: null, totalTokens: null }
const raw = (counts: Partial<RawCounts>): RawCounts => ({ ...noCounts, ...counts })
const whole = { hasOutput: true, isCovered: true }

describe('a usage that was reported', () => {
  test.each<[string, Partial<RawCounts>, object]>([
    [
      'is taken as it is',
      { promptTokens: 5, completionTokens: 7, totalTokens: 12 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    ['needs no sum', { promptTokens: 5, completionTokens: 7 }, { promptTokens: 5, completionTokens: 7 }],
    [
      'gets its completion from the sum',
      { promptTokens: 5, totalTokens: 12 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      'gets its prompt from the sum',
      { completionTokens: 7, totalTokens: 12 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      'gets a prompt of zero from the sum',
      { promptTokens: 0, completionTokens: 7, totalTokens: 12 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      'gets a completion of zero from the sum',
      { promptTokens: 100, completionTokens: 0, totalTokens: 150 },
      { promptTokens: 100, completionTokens: 50 },
    ],
    [
      'does not shrink to a sum that is too small',
      { promptTokens: 5, completionTokens: 7, totalTokens: 6 },
      { promptTokens: 5, completionTokens: 7 },
    ],
    [
      'includes reasoning that the sum counts beside it',
      { promptTokens: 10, completionTokens: 5, totalTokens: 115, reasoningTokens: 100 },
      { promptTokens: 10, completionTokens: 105 },
    ],
    [
      'includes reasoning that is larger than the completion',
      { promptTokens: 10, completionTokens: 50, reasoningTokens: 400 },
      { promptTokens: 10, completionTokens: 450 },
    ],
    [
      'has reasoning within the completion where it fits',
      { promptTokens: 10, completionTokens: 450, totalTokens: 460, reasoningTokens: 400 },
      { promptTokens: 10, completionTokens: 450 },
    ],
    [
      'includes a cache that is larger than the prompt',
      { promptTokens: 10, completionTokens: 5, cachedTokens: 90 },
      { promptTokens: 100, completionTokens: 5 },
    ],
    [
      'includes a cache that the sum counts beside the prompt',
      { promptTokens: 100, completionTokens: 5, totalTokens: 145, cachedTokens: 40 },
      { promptTokens: 140, completionTokens: 5 },
    ],
  ])('reported counts become a usage: %s', (_title, counts, expected) => {
    const usage = reportedUsage(raw(counts))
    expect(usage).toMatchObject(expected)
    expect(usage).not.toHaveProperty('unreported')
  })

  test.each<[string, Partial<RawCounts>, object]>([
    ['the completion', { promptTokens: 5 }, { promptTokens: 5, completionTokens: 0, unreported: 'completion' }],
    [
      'the completion but for its reasoning',
      { promptTokens: 5, reasoningTokens: 9 },
      { completionTokens: 9, unreported: 'completion' },
    ],
    ['the prompt', { completionTokens: 7 }, { promptTokens: 0, completionTokens: 7, unreported: 'prompt' }],
  ])('a reported usage lacks %s', (_title, counts, expected) => {
    expect(reportedUsage(raw(counts))).toMatchObject(expected)
  })

  test('a usage without totals is nothing, and a sum alone cannot be divided', () => {
    expect(reportedUsage(noCounts)).toBeNull()
    expect(reportedUsage(raw({ totalTokens: 9 }))).toBeNull()
    expect(reportedUsage(raw({ promptTokens: 0, completionTokens: 0, totalTokens: 9 }))).toBeNull()
  })

  test('a reported zero stays zero', () => {
    for (const counts of [
      { promptTokens: 0, completionTokens: 0 },
      { totalTokens: 0 },
      { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    ])
      expect(reportedUsage(raw(counts))).toEqual(noUsage)
  })

  const count = fc.integer({ min: 0, max: 1e6 })
  const reported = fc.record({
    promptTokens: fc.option(count),
    completionTokens: fc.option(count),
    totalTokens: fc.option(count),
    cachedTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
  })

  test('never loses a token that was reported, and its parts fit into their totals', () => {
    fc.assert(
      fc.property(reported, (counts) => {
        const usage = reportedUsage(raw(counts))
        if (usage === null) return
        expect(usage.promptTokens).toBeGreaterThanOrEqual(counts.promptTokens ?? 0)
        expect(usage.completionTokens).toBeGreaterThanOrEqual(counts.completionTokens ?? 0)
        expect(usage.completionTokens).toBeGreaterThanOrEqual(usage.reasoningTokens)
        if (usage.unreported !== undefined) return
        if (usage.promptTokens > 0)
          expect(usage.promptTokens + usage.completionTokens).toBeGreaterThanOrEqual(counts.totalTokens ?? 0)
        const hasPrompt = counts.promptTokens !== null || counts.totalTokens !== 0
        if (hasPrompt && counts.promptTokens !== null)
          expect(usage.promptTokens).toBeGreaterThanOrEqual(usage.cachedTokens + usage.cacheWriteTokens)
      }),
    )
  })

  test('a usage is read the same whatever parts an honest vendor leaves out', () => {
    const part = fc.integer({ min: 1, max: 1e6 })
    fc.assert(
      fc.property(part, part, part, (promptTokens, answer, reasoningTokens) => {
        const completionTokens = answer + reasoningTokens
        const totalTokens = promptTokens + completionTokens
        const variants: Partial<RawCounts>[] = [
          { promptTokens, completionTokens, totalTokens },
          { promptTokens, completionTokens },
          { promptTokens, totalTokens },
          { completionTokens, totalTokens },
          { promptTokens, completionTokens: answer, totalTokens },
        ]
        for (const counts of variants)
          expect(reportedUsage(raw({ ...counts, reasoningTokens }))).toMatchObject({ promptTokens, completionTokens })
      }),
    )
  })
})

describe('a usage beside what was said', () => {
  const usage = { ...noUsage, promptTokens: 5, completionTokens: 7 }

  test('a usage that covers the response is believed', () => {
    expect(believedUsage(usage, whole)).toBe(usage)
  })

  test('lacks the completion when more was said since', () => {
    expect(believedUsage(usage, { hasOutput: true, isCovered: false })).toEqual({ ...usage, unreported: 'completion' })
  })

  test('lacks a total of zero that the answer contradicts', () => {
    const noCompletion = { ...noUsage, promptTokens: 5 }
    expect(believedUsage(noCompletion, whole)).toEqual({ ...noCompletion, unreported: 'completion' })
    const noPrompt = { ...noUsage, completionTokens: 7 }
    expect(believedUsage(noPrompt, whole)).toEqual({ ...noPrompt, unreported: 'prompt' })
    expect(believedUsage(noUsage, whole)).toBeNull()
  })

  test('stays zero when nothing was said', () => {
    expect(believedUsage(noUsage, { hasOutput: false, isCovered: true })).toEqual(noUsage)
  })

  test('a usage includes the tools that were seen to run', () => {
    const ran = { ...whole, toolCalls: { webSearch: 3 } }
    expect(believedUsage(null, ran)).toEqual({ ...noUsage, toolCalls: { webSearch: 3 }, unreported: 'all' })
    expect(believedUsage({ ...usage, toolCalls: { webSearch: 2, fileSearch: 1 } }, ran)?.toolCalls).toEqual({
      webSearch: 3,
      fileSearch: 1,
    })
    expect(believedUsage(null, { ...whole, toolCalls: {} })).toBeNull()
  })
})

test('an answer that generates nothing has used its prompt alone', () => {
  expect(promptUsage({ ...noUsage, promptTokens: 5, unreported: 'completion' })).toEqual({
    ...noUsage,
    promptTokens: 5,
  })
  expect(promptUsage({ ...noUsage, promptTokens: 5, completionTokens: 2 })).toEqual({ ...noUsage, promptTokens: 7 })
  expect(promptUsage(noUsage)).toBeNull()
  expect(promptUsage(null)).toBeNull()
})
