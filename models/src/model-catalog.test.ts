import { describe, expect, test } from 'bun:test'

import { catalogedModels, limitsOf, modelOf, readEntry, writeEntry } from './model-catalog'
import { modelKeys } from './model-names'

const gpt5 = { contextTokens: 400_000, inputTokens: 272_000, outputTokens: 128_000 }
const sonnet45 = { contextTokens: 200_000, outputTokens: 64_000 }

describe('limits', () => {
  test.each<[string, object]>([
    ['gpt-5', gpt5],
    ['GPT-5', gpt5],
    ['openai/gpt-5', gpt5],
    ['azure/eu/gpt-5', gpt5],
    ['gpt-5-2025-08-07', gpt5],
    ['gpt-4o', { contextTokens: 128_000, outputTokens: 16_384 }],
    ['gpt-4o-2024-05-13', { outputTokens: 4096 }],
    ['ft:gpt-4o:acme::8xyz', { outputTokens: 16_384 }],
    ['o3-mini-high', { outputTokens: 100_000 }],
    ['claude-sonnet-4-5-20250929', sonnet45],
    ['claude-sonnet-4-5@20250929', sonnet45],
    ['claude-sonnet-4-5-thinking', sonnet45],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', sonnet45],
    ['anthropic/claude-opus-4.1', { outputTokens: 32_000 }],
    ['models/gemini-2.5-pro', { contextTokens: 1_048_576, outputTokens: 65_536 }],
    ['gemini-2.5-pro-thinking-1024', { outputTokens: 65_536 }],
    ['@cf/openai/gpt-oss-120b', { contextTokens: 131_072 }],
    ['deepseek/deepseek-r1:free', { contextTokens: 65_536 }],
    ['text-embedding-3-small', { contextTokens: 8191, outputTokens: null }],
  ])('the limits of %s are known', (name, limits) => {
    expect(limitsOf(name)).toMatchObject(limits)
  })

  test.each(['', '/', ':', 'my-own-model', '__proto__', 'constructor', '-latest', 'ft:'])(
    'of "%s" are not known',
    (name) => {
      expect(limitsOf(name)).toBeNull()
    },
  )
})

test('an entry tells kind, modalities and abilities', () => {
  const entry = modelOf('gpt-4o')
  expect(entry).toMatchObject({ name: 'gpt-4o', kind: 'chat', output: ['text'] })
  expect(entry?.input).toContain('image')
  expect(entry?.abilities).toContain('tools')
  expect(modelOf('text-embedding-3-large')?.kind).toBe('embedding')
})

test('every entry survives being written and read, and is found under its own name', () => {
  const names = catalogedModels()
  expect(names.length).toBeGreaterThan(1000)
  for (const name of names) {
    const entry = modelOf(name)
    expect(entry?.name).toBe(name)
    if (entry) expect(readEntry(writeEntry(entry))).toEqual(entry)
  }
})

test('names that never occur together are looked for in a bounded number of steps', () => {
  expect([...modelKeys(`m${'-2024-01-01-preview'.repeat(3)}`)]).toHaveLength(4)
  expect([...modelKeys('a'.repeat(100_000))]).toHaveLength(1)
})
