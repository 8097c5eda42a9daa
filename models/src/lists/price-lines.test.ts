import { expect, test } from 'bun:test'

import { priceLines, sourceDates } from './price-lines'
import { readLiteLlmPrices, readModelsDevPrices } from './price-sources'

const openai = { litellm_provider: 'openai', mode: 'chat' }
const liteLlm = {
  models: {
    'acme-1': {
      ...openai,
      input_cost_per_token: 1e-6,
      output_cost_per_token: 4e-6,
      input_cost_per_token_above_200k_tokens: 2e-6,
      input_cost_per_token_priority: 2e-6,
      output_cost_per_token_priority: 8e-6,
      input_cost_per_token_above_200k_tokens_priority: 4e-6,
      input_cost_per_token_batches: 5e-7,
      output_cost_per_token_batches: 1e-6,
      search_context_cost_per_query: { search_context_size_medium: 0.01 },
    },
    'acme-1-2026-01-02': { ...openai, input_cost_per_token: 3e-6, output_cost_per_token: 4e-6 },
    'acme-old': { ...openai, input_cost_per_token: 9e-6, output_cost_per_token: 9e-6, deprecation_date: '2025-12-01' },
    'groq/acme-1': { litellm_provider: 'groq', mode: 'chat', input_cost_per_token: 7e-6, output_cost_per_token: 7e-6 },
    'acme-unknown': { ...openai, input_cost_per_token: 0, output_cost_per_token: 0 },
    'ft:acme-1': { ...openai, input_cost_per_token: 5e-6, output_cost_per_token: 5e-6 },
    'openai/film-1': {
      litellm_provider: 'openai',
      mode: 'video_generation',
      output_cost_per_second: 0.4,
      output_cost_per_second_1080p: 0.4,
      output_cost_per_second_4k: 0.6,
    },
    'azure/spoken': { litellm_provider: 'azure', mode: 'audio_transcription', input_cost_per_second: 0.0001 },
  },
}
const modelsDev = {
  source: 'models.dev, data of 2025-10-01',
  providers: {
    openai: {
      'acme-1': { cost: { input: 1, output: 4, cache_read: 0.1 } },
      'acme-old': { cost: { input: 3, output: 3 } },
    },
    openrouter: { 'openai/acme-1': { cost: { input: 1.5, output: 5 } } },
  },
}
const listings = [...readLiteLlmPrices(liteLlm), ...readModelsDevPrices(modelsDev)]
const lines = priceLines(listings, sourceDates(liteLlm, modelsDev))

test('the files tell how old they are', () => {
  expect(sourceDates(liteLlm, modelsDev)).toEqual({ liteLlm: '2026-01-02', modelsDev: '2025-10-01' })
  expect(sourceDates({ 'azure/acme-2026-03-04': {} }, modelsDev).liteLlm).toBe('2026-03-04')
})

test('the maker counts before other hosts, and the second list fills in where both agree', () => {
  expect(lines).toContain(
    'acme-1 i1 o4 r0.1 W10 >200000 i2 @priority,service_tier=priority *2 @batch,batch=true i0.5 o1',
  )
  expect(lines).toContain('acme-old i3 o3')
  expect(lines).toContain('openai/acme-1 i1.5 o5')
})

test('models.dev counts where the other list is older', () => {
  const late = priceLines(listings, { liteLlm: '2025-01-01', modelsDev: '2025-10-01' })
  expect(late).toContain('acme-old i3 o3')
  expect(priceLines(listings, { liteLlm: '2025-11-01', modelsDev: '2025-10-01' })).toContain('acme-old i9 o9')
})

test('a snapshot or a fine-tuned model that costs something else has its own line, and a price of 0 counts as missing', () => {
  expect(lines).toContain('acme-1-2026-01-02 i3 o4')
  expect(lines).toContain('ft:acme-1 i5 o5')
  expect(lines.some((line) => line.startsWith('acme-unknown'))).toBe(false)
  expect(lines).toContain('spoken S0.0001')
})

test('a second of video has a price for each resolution', () => {
  expect(lines).toContain('film-1 S0.4 @1080p,size=1080p S0.4 @4k,size=4k S0.6')
})
