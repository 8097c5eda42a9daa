import { describe, expect, test } from 'bun:test'

import { catalogLines } from './catalog-lines'
import { readLiteLlm, readModelsDev } from './sources'

const liteLlm = {
  models: {
    'acme-1': {
      litellm_provider: 'openai',
      mode: 'chat',
      max_input_tokens: 1000,
      max_output_tokens: 100,
      supports_vision: true,
      supports_function_calling: true,
    },
    'acme-1-2026-01-02': { litellm_provider: 'openai', mode: 'chat', max_input_tokens: 900, max_output_tokens: 100 },
    'acme-1-2025-01-02': { litellm_provider: 'openai', mode: 'chat', max_input_tokens: 900, max_output_tokens: 50 },
    'groq/acme-1': {
      litellm_provider: 'groq',
      mode: 'chat',
      max_input_tokens: 9_000_000,
      max_output_tokens: 9_000_000,
    },
    'groq/open-7b': { litellm_provider: 'groq', mode: 'chat', max_input_tokens: 1000, max_output_tokens: 200 },
    'host/open-7b': { litellm_provider: 'together_ai', mode: 'chat', max_input_tokens: 2000, max_output_tokens: 100 },
    'vector-1': { litellm_provider: 'openai', mode: 'embedding', max_input_tokens: 500, max_output_tokens: 3072 },
    '1024-x-1024/acme-pictures': { litellm_provider: 'openai', mode: 'image_generation' },
    nothing: { litellm_provider: 'groq', mode: 'chat' },
  },
}
const modelsDev = {
  providers: {
    host: {
      'BAAI/bge-m3': { limit: { context: 8192, output: 1024 }, modalities: { input: ['text'], output: ['text'] } },
    },
    openai: {
      'acme-1': {
        reasoning: true,
        cost: { cache_read: 1 },
        limit: { context: 1200, input: 1000, output: 100 },
        modalities: { input: ['text', 'pdf'], output: ['text'] },
      },
    },
  },
}

describe('the catalog', () => {
  const lines = catalogLines([...readLiteLlm(liteLlm), ...readModelsDev(modelsDev)])

  test('merges the sources, the maker before other hosts', () => {
    expect(lines).toContain('acme-1 c 1200 1000 100 tip t trc')
  })

  test('takes the largest limits of hosts where the maker lists none', () => {
    expect(lines).toContain('open-7b c 2000 - 200 t t -')
  })

  test('keeps a snapshot only where it gives another length of output', () => {
    expect(lines.filter((line) => line.startsWith('acme-1-'))).toEqual(['acme-1-2025-01-02 c 900 - 50 t t -'])
  })

  test('knows models that embed by their names, where a list says that they chat', () => {
    expect(lines).toContain('bge-m3 e 8192 - - t t -')
  })

  test('leaves out the length of vectors, picture sizes and models of which nothing is known', () => {
    expect(lines).toHaveLength(5)
    expect(lines).toContain('vector-1 e 500 - - t - -')
  })
})

test('a file of another shape is refused', () => {
  expect(() => readLiteLlm({ models: { x: 'y' } })).toThrow(TypeError)
  expect(() => readModelsDev([])).toThrow(TypeError)
})
