import { describe, expect, test } from 'bun:test'

import { catalogedPrices, catalogPriceOf, familyPriceOf } from './price-catalog'
import type { PriceEntry } from './price-entry'
import { readPriceLine, writePriceLine } from './price-line'

test.each<[string, PriceEntry['prices']]>([
  ['deepseek-chat', { input: 0.14, output: 0.28, cache_read: 0.0028 }],
  ['deepseek-reasoner', { input: 0.14, output: 0.28, cache_read: 0.0028 }],
  ['qwen-plus', { input: 0.4, output: 1.2 }],
  ['qwen-turbo', { input: 0.05, output: 0.2 }],
  ['claude-opus-5-5', { input: 4, output: 20, cache_read: 0.2, cache_write_5m: 5, cache_write_1h: 8 }],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { input: 3, output: 15 }],
  ['whisper-1', { per_second: 0.0001 }],
  ['tts-1', { per_character: 15 }],
  ['ft:gpt-3.5-turbo:acme::1', { input: 3, output: 6 }],
])('%s costs %j', (name, prices) => {
  expect(catalogPriceOf(name)?.prices).toMatchObject(prices)
})

test.each<[string, PriceEntry['prices']]>([
  ['glm-5v-turbo', { input: 1.2, output: 4, cache_read: 0.24 }],
  ['embed-multilingual-light-v3.0', { input: 0.1, output: 0 }],
  ['mistral-nemo-2407', { input: 0.15, output: 0.15 }],
  ['open-mistral-nemo', { input: 0.15, output: 0.15 }],
  ['glm-4.7-flash', { input: 0, output: 0 }],
  ['hunyuan-a13b-instruct', { input: 0.0704, output: 0.2817 }],
  ['tencent/Hunyuan-A13B-Instruct', { input: 0.14, output: 0.57 }],
  ['qwen3-235b-a22b-thinking-2507', { input: 0.2817, output: 2.8169 }],
  ['qwen2-vl-72b-instruct', { input: 2.294, output: 6.881 }],
  ['qwen3-next-80b-a3b-instruct', { input: 0.5, output: 2 }],
  ['command-r-plus', { input: 2.5, output: 10 }],
  ['doubao-seed-2-0-pro-260215', { input: 0.46, output: 2.3, cache_read: 0.0901 }],
  ['doubao-seed-2-0-lite-260215', { input: 0.087, output: 0.52, cache_read: 0.0169 }],
  ['doubao-seed-2-0-mini-260215', { input: 0.029, output: 0.29, cache_read: 0.0056 }],
  ['doubao-seed-2-0-code-preview-260215', { input: 0.46, output: 2.3, cache_read: 0.0901 }],
])('%s, which a list has wrong, costs exactly %j', (name, prices) => {
  expect(catalogPriceOf(name)?.prices).toEqual(prices)
})

test('a name with the path of a host costs what that host lists, in any case', () => {
  expect(catalogPriceOf('Meta-Llama/llama-3.3-70b-instruct')?.prices).toMatchObject({ input: 0.1, output: 0.32 })
  expect(catalogPriceOf('openai/gpt-5')).toEqual(catalogPriceOf('gpt-5'))
})

test('long inputs, modes and hours are told apart', () => {
  const entry = catalogPriceOf('gpt-5.5')
  expect(entry?.tiers).toEqual([{ above: 272_000, prices: { input: 10, output: 45, cache_read: 1 } }])
  expect(entry?.modes).toContainEqual({ name: 'priority', match: { service_tier: 'priority' }, factor: 2.5 })
  expect(catalogPriceOf('deepseek-v4-pro')?.schedules).toContainEqual(
    expect.objectContaining({ zone: 'UTC', from: '10:00', to: '00:00', factor: 0.5 }),
  )
})

test.each(['', 'unknown', 'constructor', '__proto__', 'ft:unknown:acme'])('"%s" has no price', (name) => {
  expect(catalogPriceOf(name)).toBeNull()
})

test('an unlisted model has a relative, and a stranger none', () => {
  expect(familyPriceOf('gemini-3-flash')).toEqual(catalogPriceOf('gemini-3-flash-preview'))
  expect(familyPriceOf('stranger')).toBeNull()
})

describe('every price', () => {
  const entries = catalogedPrices().map((name) => ({ name, entry: catalogPriceOf(name) }))
  const all = entries.flatMap(({ name, entry }) => (entry ? [{ name, entry }] : []))

  test('each entry is found under its own name and survives being written and read', () => {
    expect(all).toHaveLength(entries.length)
    expect(all.length).toBeGreaterThan(1000)
    for (const { name, entry } of all) expect(readPriceLine(writePriceLine(name, entry))).toEqual(entry)
  })

  test('each price is finite and not negative, and zero only where the vendor says so', () => {
    const free = all.filter(({ entry }) => Object.values(entry.prices).every((price) => price === 0))
    expect(free.map(({ name }) => name)).toEqual(['glm-4.5-flash', 'glm-4.7-flash'])
    for (const { name, entry } of all) {
      const modes = entry.modes ?? []
      const amounts = [
        ...[entry.prices, ...(entry.tiers ?? []).map(({ prices }) => prices)].flatMap(Object.values),
        ...modes.flatMap((mode) => [mode.factor ?? 1, ...Object.values(mode.prices ?? {})]),
      ]
      expect({ name, bad: amounts.filter((amount) => !(Number.isFinite(amount) && amount >= 0)) }).toEqual({
        name,
        bad: [],
      })
    }
  })

  test('each entry has ascending tiers, modes that match something, and schedules in whole minutes', () => {
    for (const { entry } of all) {
      const starts = (entry.tiers ?? []).map(({ above }) => above)
      expect(starts).toEqual([...new Set(starts)].sort((one, other) => one - other))
      for (const mode of entry.modes ?? []) expect(Object.keys(mode.match)).not.toBeEmpty()
      for (const { from, to, days } of entry.schedules ?? []) {
        expect([from, to].join(' ')).toMatch(/^\d\d:\d\d \d\d:\d\d$/)
        expect(days.every((day) => day >= 1 && day <= 7)).toBe(true)
      }
    }
  })
})
