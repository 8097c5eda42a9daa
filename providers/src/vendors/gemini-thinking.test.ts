import { describe, expect, test } from 'bun:test'

import { aTarget } from './fixture'
import { shapeGemini, shapeThinking, splitBudget } from './gemini-shape'

test.each([
  ['gemini-2.5-pro-thinking', 'gemini-2.5-pro', 'on'],
  ['gemini-2.5-flash-thinking-2048', 'gemini-2.5-flash', { budget: 2048 }],
  ['gemini-2.5-flash-nothinking', 'gemini-2.5-flash', 'off'],
  ['gemini-3-pro-preview-high', 'gemini-3-pro-preview', { level: 'high' }],
  ['gemini-2.5-pro-high', 'gemini-2.5-pro-high', undefined],
  ['gemini-2.0-flash-thinking-exp-01-21', 'gemini-2.0-flash-thinking-exp-01-21', undefined],
] as const)('%s is %s and what it asks for', (name, model, thinking) => {
  expect(splitBudget(name)).toEqual(thinking === undefined ? { model } : { model, thinking })
})

describe('thinking of', () => {
  test.each([
    ['gemini-2.5-pro-thinking', 1000, { includeThoughts: true, thinkingBudget: 600 }],
    ['gemini-2.5-pro-thinking', 100, { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-pro-thinking', undefined, { includeThoughts: true }],
    ['gemini-2.5-flash-thinking-99999', 10, { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash-lite-thinking-1', 10, { includeThoughts: true, thinkingBudget: 512 }],
    ['gemini-2.5-flash-nothinking', 10, { thinkingBudget: 0 }],
    ['gemini-2.5-pro-nothinking', 10, { thinkingBudget: 128 }],
    ['gemini-3-flash-preview-thinking', 10, { includeThoughts: true }],
    ['gemini-3-flash-preview-nothinking', 10, { thinkingLevel: 'minimal' }],
    ['gemini-3.6-flash-nothinking', 10, { thinkingLevel: 'minimal' }],
    // https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
    ['gemini-3.8-flash-nothinking', 10, { thinkingLevel: 'low' }],
    ['gemini-3-pro-preview-nothinking', 10, { thinkingLevel: 'low' }],
    ['gemini-3-pro-preview-low', 10, { includeThoughts: true, thinkingLevel: 'low' }],
  ])('%s with a limit of %p', (model, maxOutputTokens, thinkingConfig) => {
    const generationConfig = maxOutputTokens === undefined ? {} : { maxOutputTokens }
    const { body } = shapeThinking({ contents: [], generationConfig }, { model })
    expect(body).toEqual({ contents: [], generationConfig: { ...generationConfig, thinkingConfig } })
  })

  test('a client that speaks of it itself is left as it is', () => {
    const body = { generationConfig: { thinkingConfig: { thinkingBudget: 1 } } }
    expect(shapeThinking(body, { model: 'gemini-2.5-pro-thinking' })).toEqual({ body })
  })

  test('a model without an end that asks is left as it is', () => {
    const body = { contents: [] }
    expect(shapeThinking(body, { model: 'gemini-2.5-pro' }).body).toBe(body)
  })
})

// https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
test.each([
  ['gemini-3.8-flash', { thinkingBudget: 0 }, { thinkingLevel: 'low' }],
  [
    'gemini-3.7-flash',
    { thinkingLevel: 'MINIMAL', includeThoughts: true },
    { thinkingLevel: 'low', includeThoughts: true },
  ],
  ['gemini-flash-latest', { thinkingBudget: 0 }, { thinkingLevel: 'low' }],
  ['gemini-3.6-flash', { thinkingLevel: 'MINIMAL' }, null],
  ['gemini-3.5-flash-lite', { thinkingBudget: 0 }, null],
  ['gemini-2.5-flash', { thinkingBudget: 0 }, null],
  ['gemini-3.8-flash', { thinkingLevel: 'HIGH' }, null],
])('Google’s own client that asks %s for %j sends what the model takes', (model, thinkingConfig, expected) => {
  const body = { contents: [], generationConfig: { topK: 3, thinkingConfig } }
  const shaped = shapeGemini(body, aTarget({ model, dialectHeaders: {} }))
  expect(shaped.leftOut ?? []).toEqual(expected ? ['an answer without thinking'] : [])
  if (expected) expect(shaped.body['generationConfig']).toEqual({ topK: 3, thinkingConfig: expected })
  else expect(shaped.body).toBe(body)
})
