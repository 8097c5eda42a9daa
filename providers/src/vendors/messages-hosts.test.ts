import { expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { descriptionOf, providerOf, type Target } from '../index'
import { aTarget } from './fixture'

const key = 'AK1|sk1|us-east-1'
const account = JSON.stringify({ project_id: 'proj-1' })

/** What a vendor is sent of a call of Messages. */
function shapeMessagesCall(type: number, overrides: Partial<Target>, request: JsonObject) {
  const provider = providerOf(type)
  if (!provider) throw new Error(`No vendor has type ${type}`)
  const target = aTarget({ model: String(request['model']), stream: true, ...overrides })
  const mode = descriptionOf(provider, { mode: 'chat', dialect: 'anthropic-messages' }, target)
  const { body, leftOut = [] } = mode?.shape?.({ max_tokens: 9, ...request }, target) ?? { body: request }
  return { headers: mode?.headers?.(target) ?? {}, body, leftOut }
}

test.each<[number, string]>([
  [14, 'https://bedrock-mantle.us-east-1.api.aws/anthropic'],
  [14, 'https://res-1.services.ai.azure.com/anthropic'],
  [33, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  [41, 'https://aiplatform.googleapis.com'],
])('channel type %s at %s is told of efforts of turns by their documented name', (type, baseUrl) => {
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'system', content: [], output_config: { effort: 'low' } },
  ]
  const sent = shapeMessagesCall(
    type,
    {
      baseUrl,
      key: type === 41 ? account : key,
      dialectHeaders: { 'anthropic-beta': 'per-turn-control-2026-07-01,of-tomorrow-2027-01-01' },
    },
    { model: 'claude-opus-5-5', messages },
  )
  expect(sent.headers['anthropic-beta'] ?? String(sent.body['anthropic_beta'])).toBe(
    'mid-conversation-output-config-2026-07-01',
  )
  expect(sent.body['messages']).toEqual(messages)
  expect(sent.leftOut.filter((name) => name.startsWith('the beta'))).toEqual(['the beta of-tomorrow-2027-01-01'])
})

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool
test.each<[number, string, string, boolean]>([
  [14, 'https://api.anthropic.com', 'claude-opus-5-5', false],
  [14, 'https://proxy.example', 'claude-sonnet-5-5-high', false],
  [14, 'https://api.anthropic.com', 'claude-haiku-5-5', false],
  [14, 'https://api.anthropic.com', 'claude-fable-5-2', false],
  [14, 'https://api.anthropic.com', 'claude-fable-5-1', true],
  [14, 'https://api.anthropic.com', 'claude-opus-5', true],
  [14, 'https://api.moonshot.cn/anthropic', 'kimi-k3', true],
  [14, 'https://bedrock-mantle.us-east-1.api.aws/anthropic', 'anthropic.claude-opus-5-5', true],
  [14, 'https://res-1.services.ai.azure.com/anthropic', 'claude-opus-5-5', true],
  [14, 'https://res-1.services.ai.azure.com/anthropic', 'claude-fable-5-2', false],
  [33, 'https://bedrock-runtime.us-east-1.amazonaws.com', 'claude-opus-5-5', true],
  [41, 'https://aiplatform.googleapis.com', 'claude-opus-5-5', false],
  [41, 'https://aiplatform.googleapis.com', 'claude-opus-5', true],
])('channel type %s at %s has %s know the tool for a screen by its type: %p', (type, baseUrl, model, isTaken) => {
  const marked = { name: 'computer', cache_control: { type: 'ephemeral' } }
  const screen = { type: 'computer_20251124', display_width_px: 1280, display_height_px: 800, enable_zoom: true }
  const toolset = { type: 'computer_toolset_20260801' }
  const bash = { type: 'bash_20250124', name: 'bash' }
  const tools = [{ ...screen, ...marked }, toolset, bash]
  const { body, leftOut } = shapeMessagesCall(type, { baseUrl, key: type === 41 ? account : key }, { model, tools })
  const asFunction = {
    ...marked,
    description: expect.stringContaining('1280 x 800 pixels'),
    input_schema: expect.objectContaining({ required: ['action'] }),
  }
  expect(body['tools']).toEqual([isTaken ? tools[0] : asFunction, toolset, bash])
  expect(leftOut.includes('the type computer_20251124, which is a function')).toBe(!isTaken)
})
