import { describe, expect, test } from 'bun:test'

import { shapeReasoning, splitEffort } from './reasoning'

describe('the effort in a name', () => {
  test.each([
    ['o3-high', 'o3', 'high'],
    ['o3-mini-low', 'o3-mini', 'low'],
    ['gpt-5-minimal', 'gpt-5', 'minimal'],
    ['gpt-5.2-xhigh', 'gpt-5.2', 'xhigh'],
    ['gpt-5.1-none', 'gpt-5.1', 'none'],
    ['openai/o4-mini-medium', 'openai/o4-mini', 'medium'],
    ['gpt-4o-high', 'gpt-4o-high', undefined],
    ['gpt-5-chat-latest', 'gpt-5-chat-latest', undefined],
    ['gpt-5.2-chat-high', 'gpt-5.2-chat-high', undefined],
    ['omni-moderation-low', 'omni-moderation-low', undefined],
    ['o3', 'o3', undefined],
  ])('the effort in the name %s is read', (name, model, effort) => {
    expect(splitEffort(name)).toEqual(effort === undefined ? { model } : { model, effort })
  })
})

describe('a reasoning model', () => {
  const system = { role: 'system', content: 's' }
  const user = { role: 'user', content: 'u' }

  test('hears every system message as its developer, wherever it stands', () => {
    const developer = { role: 'developer', content: 's' }
    const { body } = shapeReasoning({ model: 'o3', messages: [user, system, system] }, { model: 'o3' })
    expect(body).toEqual({ model: 'o3', messages: [user, developer, developer] })
  })

  test.each(['o1-mini', 'o1-preview', 'gpt-5', 'gpt-4o'])('%s knows no such change', (model) => {
    const body = { model, messages: [system] }
    expect(shapeReasoning(body, { model }).body).toBe(body)
  })

  test('keeps a limit under the new name', () => {
    const { body } = shapeReasoning({ model: 'o3', max_tokens: 9, max_completion_tokens: 5 }, { model: 'o3' })
    expect(body).toEqual({ model: 'o3', max_completion_tokens: 5 })
  })

  test('keeps sampling and the old limit where the model chats without reasoning', () => {
    const body = { model: 'gpt-5-chat-latest', temperature: 0.5, top_p: 1, max_tokens: 9 }
    expect(shapeReasoning(body, { model: 'gpt-5-chat-latest' })).toEqual({ body })
  })

  test('lets the effort in the name win and tells it to the log', () => {
    expect(shapeReasoning({ model: 'o3-low', reasoning_effort: 'high' }, { model: 'o3-low' })).toEqual({
      body: { model: 'o3', reasoning_effort: 'low' },
      reasoningEffort: 'low',
    })
  })
})
