import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { composeShape } from '../shape'
import { withinClaude } from './anthropic-shape'
import { aTarget } from './fixture'

const shape = composeShape(withinClaude)
const shapeFor = (model: string, body: JsonObject) => shape({ max_tokens: 10_000, ...body }, aTarget({ model }))

const adaptive = { type: 'adaptive' }
const disabled = { type: 'disabled' }
const betweenTools = { type: 'between_tools' }

// https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting
describe('a model is told not to think', () => {
  test.each<[string, JsonObject, JsonObject | undefined, readonly string[]]>([
    ['claude-sonnet-5-5', disabled, betweenTools, ['thinking.type disabled, which is between_tools']],
    ['claude-sonnet-5-5', betweenTools, betweenTools, []],
    ['claude-sonnet-5', betweenTools, disabled, ['thinking.type between_tools, which is disabled']],
    ['claude-haiku-5-5', disabled, disabled, []],
    ['MiniMax-M3', betweenTools, disabled, ['thinking.type between_tools, which is disabled']],
    ['claude-opus-5-5', betweenTools, undefined, ['that nothing is thought, which the model always does']],
    ['claude-fable-5-1', disabled, undefined, ['that nothing is thought, which the model always does']],
  ])('%s by %j gets %j', (model, thinking, expected, leftOut) => {
    const shaped = shapeFor(model, { thinking })
    expect(shaped.body['thinking']).toEqual(expected)
    expect(shaped.leftOut ?? []).toEqual([...leftOut])
  })

  test.each([
    ['claude-opus-5', 'xhigh', 'high'],
    ['claude-haiku-5-5', 'max', 'high'],
    ['claude-haiku-5-5', 'medium', 'medium'],
    ['claude-opus-4-8', 'max', 'max'],
  ])('%s with the effort %s gets %s', (model, effort, expected) => {
    const { body, leftOut = [] } = shapeFor(model, { thinking: disabled, output_config: { effort } })
    expect([body['thinking'], body['output_config']]).toEqual([disabled, { effort: expected }])
    expect([...leftOut]).toEqual(
      effort === expected ? [] : [`the effort ${effort}, which is high where nothing is thought`],
    )
  })
})

// https://platform.claude.com/docs/en/build-with-claude/effort
describe('an effort', () => {
  test.each([
    ['claude-opus-4-6', 'xhigh', 'max'],
    ['claude-opus-4-5-20251101', 'max', 'high'],
    ['claude-opus-4-5-20251101', 'low', 'low'],
    ['claude-sonnet-5', 'xhigh', 'xhigh'],
    ['kimi-k3', 'max', 'max'],
  ])('%s takes the effort %s as %s', (model, effort, expected) => {
    const format = { type: 'json_schema' }
    const { body, leftOut = [] } = shapeFor(model, { output_config: { effort, format } })
    expect(body['output_config']).toEqual({ effort: expected, format })
    expect([...leftOut]).toEqual(effort === expected ? [] : [`the effort ${effort}, which is ${expected}`])
  })

  test.each(['claude-sonnet-4-5-20250929', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-opus-4-1'])(
    '%s takes none, so it is left out',
    (model) => {
      const alone = shapeFor(model, { output_config: { effort: 'high' } })
      expect(['output_config' in alone.body, alone.leftOut]).toEqual([false, ['output_config.effort']])
      const format = { type: 'json_schema' }
      expect(shapeFor(model, { output_config: { effort: 'high', format } }).body['output_config']).toEqual({ format })
    },
  )
})

describe('thinking that the model decides on', () => {
  test.each<[string, JsonObject, JsonObject | undefined, readonly string[]]>([
    ['claude-sonnet-4-6', {}, adaptive, []],
    ['claude-sonnet-4-5', {}, { type: 'enabled', budget_tokens: 8000 }, []],
    ['claude-sonnet-4-5', { tool_choice: { type: 'any' } }, undefined, ['thinking']],
    ['claude-3-5-haiku-20241022', {}, undefined, ['thinking']],
    ['MiniMax-M3', {}, adaptive, []],
  ])('%s with %j gets %j', (model, members, expected, leftOut) => {
    const shaped = shapeFor(model, { thinking: adaptive, ...members })
    expect(shaped.body['thinking']).toEqual(expected)
    expect(shaped.leftOut ?? []).toEqual([...leftOut])
  })
})

// https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5
test.each([
  ['claude-sonnet-5-5', 'auto'],
  ['claude-sonnet-5', 'any'],
])('a forced tool is for %s %s', (model, type) => {
  const { body } = shapeFor(model, { tools: [{ name: 'f' }], tool_choice: { type: 'any' } })
  expect(body['tool_choice']).toEqual({ type })
})

test('a request that a model takes is the same object', () => {
  const body = { thinking: adaptive, output_config: { effort: 'max' }, messages: [{ role: 'user', content: 'a' }] }
  expect(composeShape(withinClaude)(body, aTarget({ model: 'claude-opus-5-5' })).body).toBe(body)
})
