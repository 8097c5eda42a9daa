import { describe, expect, test } from 'bun:test'

import { aTarget } from './fixture'
import { needsXAiResponses, shapeXAiChat, shapeXAiResponses } from './xai-shape'

// https://docs.x.ai/docs/guides/tools/overview
describe('the address at xAI', () => {
  test.each([
    ['a model that searches', 'grok-4.3-search', {}],
    ['several agents', 'grok-4.20-multi-agent', {}],
    ['the former search', 'grok-4.3', { search_parameters: {} }],
    ['OpenAI’s search in chats', 'grok-4.3', { web_search_options: {} }],
    ['tools of its own', 'grok-4.3', { tools: [{ type: 'x_search' }] }],
  ])('%s is served by Responses', (_what, model, body) => expect(needsXAiResponses({ model, body })).toBe(true))

  test.each([
    ['a search that is switched off', { search_parameters: { mode: 'off' } }],
    ['the client’s own tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ])('%s is served by chats', (_what, body) => expect(needsXAiResponses({ model: 'grok-4.3', body })).toBe(false))
})

test('chats are sent without the former search, which is refused whatever it says', () =>
  expect(
    shapeXAiChat({ model: 'grok-4.3', search_parameters: { mode: 'off' } }, aTarget({ model: 'grok-4.3' })).body,
  ).toEqual({
    model: 'grok-4.3',
  }))

// https://docs.x.ai/developers/model-capabilities/text/reasoning, https://ai-sdk.dev/providers/ai-sdk-providers/xai
test.each([
  ['grok-4.3', 'minimal', 'low', []],
  ['grok-4.3', 'none', 'none', []],
  ['grok-4.5', 'xhigh', 'high', []],
  ['grok-4.5', 'none', undefined, ['that nothing is thought, which the model always does']],
  ['grok-4.6', 'xhigh', 'xhigh', []],
  ['grok-4.7', 'max', 'high', []],
  ['grok-4.20-multi-agent', 'xhigh', 'xhigh', []],
  ['grok-4.20-reasoning', 'high', undefined, ['the effort of thinking']],
  ['grok-4-0709', 'high', undefined, ['the effort of thinking']],
])('%s is told the effort %s as %s', (model, requested, effort, leftOut) => {
  const target = aTarget({ model })
  const { body, leftOut: left = [] } = shapeXAiResponses(
    { model, reasoning: { effort: requested, summary: 'auto' } },
    target,
  )
  expect(body).toEqual({ model, reasoning: { summary: 'auto', ...(effort !== undefined && { effort }) } })
  expect(left).toEqual(leftOut)
  expect(shapeXAiChat({ model, reasoning_effort: requested }, target).body['reasoning_effort']).toBe(effort)
})
