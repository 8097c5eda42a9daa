import type { DialectId, JsonObject } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'

import { descriptionOf, providerOf } from './index'

const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
const claudeTools = [{ name: 'f', input_schema: { type: 'object' } }]
const chat = 'openai-chat'
const claude = 'anthropic-messages'

const dialectFor = (type: number, model: string, dialect: DialectId, body: JsonObject) => {
  const provider = providerOf(type)
  if (!provider) throw new Error(`There is no vendor ${type}`)
  return descriptionOf(provider, { mode: 'chat', dialect }, { model, key: 'k', other: '', body, dialect })?.dialect
}

const responses = 'openai-responses'

describe('a chat of a model of OpenAI at Amazon', () => {
  test.each<[string, string, JsonObject, DialectId]>([
    ['with tools', 'us.openai.gpt-6.1-sol', { tools }, responses],
    ['without tools', 'us.openai.gpt-6.1-sol', {}, chat],
    ['with tools of an open model', 'openai.gpt-oss-120b-1:0', { tools }, chat],
    ['with tools of a model of Anthropic', 'global.anthropic.claude-opus-5-5', { tools }, claude],
    ['behind a profile of the operator', 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x', {}, claude],
  ])('%s is served where Amazon has it: %s', (_what, model, body, expected) => {
    expect(dialectFor(33, model, chat, body)).toBe(expected)
  })
})

describe.each([1, 3])('a chat at the vendor %i', (type) => {
  test.each<[string, string, DialectId, JsonObject, DialectId]>([
    ['with tools and an effort', 'gpt-5.4', chat, { tools, reasoning_effort: 'medium' }, responses],
    ['with tools and an effort', 'gpt-5.6', chat, { tools, reasoning_effort: 'medium' }, responses],
    ['with tools and an effort', 'gpt-5.6-luna', chat, { tools, reasoning_effort: 'low' }, responses],
    ['with tools and an effort', 'gpt-6-sol', chat, { tools, reasoning_effort: 'high' }, responses],
    ['with tools and an effort in its name', 'gpt-5.4-high', chat, { tools }, responses],
    ['with tools that thinks unasked', 'gpt-5.6', chat, { tools }, responses],
    ['with tools that does not think unasked', 'gpt-5.4', chat, { tools }, chat],
    ['with tools and no thoughts', 'gpt-5.6', chat, { tools, reasoning_effort: 'none' }, chat],
    ['with tools that cannot but think', 'gpt-6.1-sol', chat, { tools, reasoning_effort: 'none' }, responses],
    ['with tools that cannot but think', 'gpt-6-astra', chat, { tools }, responses],
    ['with tools and no thoughts', 'gpt-6-luna', chat, { tools, reasoning_effort: 'none' }, chat],
    ['with an effort alone', 'gpt-5.6', chat, { reasoning_effort: 'high' }, chat],
    ['with an empty list of tools', 'gpt-5.6', chat, { tools: [], reasoning_effort: 'high' }, chat],
    ['with tools before GPT-5.4', 'gpt-5.1', chat, { tools, reasoning_effort: 'high' }, chat],
    ['with tools before GPT-5', 'gpt-4o', chat, { tools }, chat],
    [
      'of Claude’s clients with tools and thoughts',
      'gpt-5.4',
      claude,
      { tools: claudeTools, thinking: { type: 'enabled' } },
      responses,
    ],
    [
      'of Claude’s clients with tools and without thoughts',
      'gpt-5.6',
      claude,
      { tools: claudeTools, thinking: { type: 'disabled' } },
      chat,
    ],
    [
      'of Claude’s clients with tools and thoughts between them alone',
      'gpt-5.6',
      claude,
      { tools: claudeTools, thinking: { type: 'between_tools' } },
      chat,
    ],
    [
      'of Claude’s clients with a search',
      'gpt-4o',
      claude,
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      responses,
    ],
    ['of Google’s clients with a search', 'gpt-4.1', 'gemini', { tools: [{ googleSearch: {} }] }, responses],
    [
      'of Google’s clients with functions and thoughts',
      'gpt-5.4',
      'gemini',
      { tools: [{ functionDeclarations: [] }], generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
      responses,
    ],
    ['that draws', 'gpt-4.1', chat, { tools: [{ type: 'image_generation' }] }, responses],
    ['that searches with a model made for it', 'gpt-4o-search-preview', chat, { web_search_options: {} }, chat],
    ['of a model that has no chats', 'o3-pro', chat, {}, responses],
  ])('%s is served where the vendor has it: %s', (_what, model, dialect, body, expected) => {
    expect(dialectFor(type, model, dialect, body)).toBe(expected)
  })
})
