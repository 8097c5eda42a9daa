import { describe, expect, test } from 'bun:test'

import { dateText } from './model-dates.gen'
import { datesOf, isRetired, readDateLine, writeDateLine } from './model-dates'

describe('dates', () => {
  test.each<[string, string | null, string | null]>([
    ['gpt-5', '2025-08-07', null],
    ['openai/gpt-5', '2025-08-07', null],
    ['gpt-4o-2024-05-13', '2024-05-13', '2026-10-23'],
    ['claude-sonnet-4-5-20250929', '2025-09-29', '2026-11-30'],
    ['doubao-seed-1-8-251228', '2025-12-28', null],
    ['gpt-4-turbo', '2023-11-06', '2026-10-23'],
    ['hunyuan-pro', null, '2026-06-22'],
    ['ernie-x1-turbo-32k', null, '2026-06-30'],
    ['kling-v2-1', null, '2026-09-15'],
    ['glm-4.5-flash', '2025-07-28', '2026-01-30'],
    ['my-own-model', null, null],
    ['constructor', null, null],
  ])('the dates of %s are known', (name, releasedOn, retiresOn) => {
    const dates = datesOf(name)
    expect(dates).toMatchObject({ releasedOn, retiresOn })
  })

  test('a model that its vendor calls deprecated is retired without a date', () => {
    expect(datesOf('claude-3-7-sonnet-20250219')).toMatchObject({ retiresOn: null, isDeprecated: true })
    expect(isRetired('claude-3-7-sonnet-20250219', '2026-01-01')).toBe(true)
    expect(isRetired('my-own-model', '2099-01-01')).toBe(false)
  })

  test('a model that one vendor ends is retired there, and released as everywhere', () => {
    const name = 'claude-opus-4-20250514'
    expect(datesOf(name, 'anthropic')).toMatchObject({ releasedOn: '2025-05-14', retiresOn: '2026-06-15' })
    expect(datesOf('claude-opus-4-1', 'anthropic')).toMatchObject({ releasedOn: '2025-08-05', retiresOn: '2026-08-05' })
    expect([undefined, 'vertex', 'anthropic'].map((vendor) => isRetired(name, '2026-06-15', vendor))).toEqual([
      false,
      false,
      true,
    ])
    expect(isRetired('claude-opus-4-8', '2026-06-15', 'anthropic')).toBe(false)
    for (const [ended, vendor] of [
      ['deepseek-r1', 'dashscope'],
      ['qwen-turbo', 'dashscope'],
      ['hunyuan-turbos-latest', 'tencent'],
    ] as const)
      expect([vendor, 'siliconflow'].map((one) => isRetired(ended, '2026-11-01', one))).toEqual([true, false])
  })

  test('every line survives being read and written, and its days exist', () => {
    for (const line of dateText.split('\n')) {
      const dates = readDateLine(line)
      expect(writeDateLine(line.split(' ')[0] ?? '', dates)).toBe(line)
      for (const day of [dates.releasedOn, dates.retiresOn])
        if (day !== null) expect(new Date(day).toISOString().slice(0, 10)).toBe(day)
    }
  })
})
