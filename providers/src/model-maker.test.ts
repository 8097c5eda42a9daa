import { expect, test } from 'bun:test'

import { makerOf, providers } from './index'

test.each([
  ['gpt-4o', 'openai'],
  ['o3-mini-high', 'openai'],
  ['text-embedding-3-large', 'openai'],
  ['text-embedding-v4', 'alibaba'],
  ['text-embedding-004', 'google'],
  ['claude-sonnet-4-5', 'anthropic'],
  ['anthropic/claude-opus-4.5', 'anthropic'],
  ['Pro/deepseek-ai/DeepSeek-R1', 'deepseek'],
  ['Qwen/Qwen3-8B', 'alibaba'],
  ['Doubao-pro-32k', 'bytedance'],
  ['open-mixtral-8x7b', 'mistral'],
  ['meta-llama/llama-3.3-70b-instruct', 'meta'],
  ['mj_imagine', 'midjourney'],
  ['my-own-model', undefined],
  ['', undefined],
])('%p is made by %p', (model, id) => {
  expect(makerOf(model)?.id).toBe(id)
})

/** They serve models under names of their own. */
const ownNames = new Set([
  'openrouter/auto',
  'fastgpt',
  'dify',
  'dify-agent',
  'dify-completion',
  'dify-workflow',
  'coze-bot',
])

test('the maker of every suggested model is known', () => {
  const unknown = providers.flatMap(({ models }) => models).filter((model) => !makerOf(model) && !ownNames.has(model))
  expect(unknown).toEqual([])
})
