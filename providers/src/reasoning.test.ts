import { describe, expect, test } from 'bun:test'

import { shapeReasoning, shapeResponses, splitEffort } from './reasoning'

describe('the effort in a name', () => {
  test.each([
    ['o3-high', 'o3', 'high'],
    ['o3-mini-low', 'o3-mini', 'low'],
    ['gpt-5-minimal', 'gpt-5', 'minimal'],
    ['gpt-5.2-xhigh', 'gpt-5.2', 'xhigh'],
    ['gpt-5.1-none', 'gpt-5.1', 'none'],
    ['openai/o4-mini-medium', 'openai/o4-mini', 'medium'],
    ['gpt-6-luna-max', 'gpt-6-luna', 'max'],
    ['gpt-5.1-codex-max', 'gpt-5.1-codex-max', undefined],
    ['gpt-5.1-codex-max-xhigh', 'gpt-5.1-codex-max', 'xhigh'],
    ['gpt-35-turbo-high', 'gpt-35-turbo-high', undefined],
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

  const sampled = { temperature: 0.5, top_p: 1 }
  const names = ['temperature', 'top_p']

  test.each<[string, string | undefined, readonly string[]]>([
    ['gpt-5', undefined, names],
    ['gpt-5.2', undefined, []],
    ['gpt-5.2', 'none', []],
    ['gpt-5.2', 'low', names],
    ['gpt-5.2-pro', undefined, names],
    ['gpt-5.5', undefined, names],
    ['gpt-5.5', 'none', []],
    ['gpt-6-luna', undefined, names],
    ['gpt-6-luna', 'none', []],
    ['openai/gpt-6.1-sol', undefined, names],
    ['gpt-35-turbo', undefined, []],
  ])('%s with the effort %p takes no sampling where it thinks', (model, effort, leftOut) => {
    const chat = { model, ...sampled, ...(effort && { reasoning_effort: effort }) }
    const responses = { model, ...sampled, ...(effort && { reasoning: { effort } }) }
    expect(shapeReasoning(chat, { model }).leftOut ?? []).toEqual(leftOut)
    expect(shapeResponses(responses, { model }).leftOut ?? []).toEqual(leftOut)
  })

  test.each([
    ['gpt-6.1-sol', 'none', 'low'],
    ['gpt-6-astra', 'minimal', 'low'],
    ['gpt-5', 'none', 'minimal'],
    ['o3', 'minimal', 'low'],
    ['gpt-6-luna', 'none', 'none'],
    ['gpt-6.1-sol', 'max', 'max'],
    ['gpt-6.1-sol', 'a later word', 'a later word'],
  ])('%s asked for the effort %s is asked for %s', (model, effort, expected) => {
    const chat = shapeReasoning({ model, reasoning_effort: effort }, { model })
    expect(chat.body['reasoning_effort']).toBe(expected)
    const responses = shapeResponses({ model, reasoning: { effort, summary: 'auto' } }, { model })
    expect(responses.body['reasoning']).toEqual({ effort: expected, summary: 'auto' })
    const leftOut = expected === effort ? undefined : [`the effort ${effort}, which is raised to ${expected}`]
    expect([chat.leftOut, responses.leftOut]).toEqual([leftOut, leftOut])
  })

  test('lets the effort in the name win and tells it to the log', () => {
    expect(shapeReasoning({ model: 'o3-low', reasoning_effort: 'high' }, { model: 'o3-low' })).toEqual({
      body: { model: 'o3', reasoning_effort: 'low' },
      reasoningEffort: 'low',
    })
  })
})

test.each(['gpt-6.2-sol', 'gpt-4.1', 'o3-pro'])(
  'options of calls in the background are left out for %s and named',
  (model) => {
    const body = { model, input: 'hi', background_options: { completion_window: '2h' } }
    expect(shapeResponses(body, { model })).toEqual({ body: { model, input: 'hi' }, leftOut: ['background_options'] })
    const plain = { model, input: 'hi' }
    expect(shapeResponses(plain, { model })).toEqual({ body: plain })
  },
)
