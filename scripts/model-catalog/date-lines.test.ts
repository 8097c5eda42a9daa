import { expect, test } from 'bun:test'

import { dateLines } from './date-lines'
import { readLiteLlm, readModelsDev } from './sources'
import { vendorLines } from './vendor-lines'

const chat = { litellm_provider: 'openai', mode: 'chat' }
const listings = [
  ...readLiteLlm({
    'acme-1': { ...chat, deprecation_date: '2026-05-06' },
    'acme-1-2026-01-02': { ...chat, deprecation_date: '2026-05-06' },
    'acme-1-2026-02-03': chat,
    'groq/open-7b': { litellm_provider: 'groq', mode: 'chat', deprecation_date: '2026-01-01' },
    'host/open-7b': { litellm_provider: 'together_ai', mode: 'chat' },
    'openai/acme-2': chat,
  }),
  ...readModelsDev({
    openai: {
      'acme-1': { release_date: '2026-01-02', modalities: { output: ['text'] } },
      'acme-3': { release_date: '2025-04', status: 'deprecated', modalities: { output: ['text'] } },
    },
    groq: { 'acme-1': { release_date: '2020-01-01' } },
  }),
]

test('the maker tells the dates, a snapshot has a line only where it tells something else, and a host alone ends no model', () => {
  expect(dateLines(listings)).toEqual(['acme-1 260102 260506', 'acme-1-2026-02-03 - -', 'acme-3 250401 x'])
})

test('a form gets what is sold and served by the name that its vendor uses, without snapshots', () => {
  const lines = vendorLines(listings, { isSold: (name) => name !== 'acme-1', isRetired: (name) => name === 'acme-3' })
  expect(lines[0]).toBe('openai acme-2')
})
