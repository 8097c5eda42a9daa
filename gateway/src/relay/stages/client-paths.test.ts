import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { standardPath } from './client-paths'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ models: 'dall-e-3' })
  await world.addChannel({ models: 'gpt-4o', model_prefix: 'org/' })
  await world.addChannel({ type: 38, models: 'jina-reranker-v2-base-multilingual' })
  await world.addChannel({ type: 24, models: 'gemini-2.0-flash' })
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
})
beforeEach(() => world.simulator.reset())
afterAll(() => world[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'hello' }]
const chat = { model: 'gpt-4o', messages }

describe('a client with another base address reaches', () => {
  test.each([
    ['/openai/v1/chat/completions', chat],
    ['/openai/v1/chat/completions?api-version=preview', chat],
    ['/openai/responses?api-version=2025-04-01-preview', { model: 'gpt-4o', input: 'hello' }],
    ['/v1beta/openai/chat/completions', chat],
    ['/api/v1/chat/completions', chat],
    ['/chat/completions', chat],
    ['/chat/completions/', chat],
    ['//v1/chat/completions', chat],
    ['/v1//chat/completions', chat],
    ['//chat//completions', chat],
    ['/api/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['/api/v1/responses/', { model: 'gpt-4o', input: 'hello' }],
    ['/v1beta/openai/embeddings?key=none', { model: 'text-embedding-3-small', input: 'hello' }],
    ['//anthropic//v1/messages?beta=true', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['/v1alpha/models/gemini-2.0-flash:generateContent', { contents: [{ parts: [{ text: 'hello' }] }] }],
    [
      '/v1/projects/p/locations/global/publishers/google/models/gemini-2.0-flash:generateContent',
      { contents: [{ parts: [{ text: 'hello' }] }] },
    ],
    ['/v1/v1/chat/completions', chat],
    ['/v1/v1/messages?beta=true', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['/openai/v1/v1/responses', { model: 'gpt-4o', input: 'hello' }],
    ['/api/v1/v1/embeddings/', { model: 'text-embedding-3-small', input: 'hello' }],
    ['/v1/v1beta/models/gemini-2.0-flash:generateContent', { contents: [{ parts: [{ text: 'hello' }] }] }],
    ['/v1beta/v1beta/models/gemini-2.0-flash:generateContent', { contents: [{ parts: [{ text: 'hello' }] }] }],
    ['/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'hello' }],
    ['/beta/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'hello', suffix: 'there' }],
    ['/embeddings', { model: 'text-embedding-3-small', input: 'hello' }],
    ['/anthropic/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }],
    ['/v1/engines/gpt-3.5-turbo-instruct/completions', { prompt: 'hello' }],
    ['/v1/engines/gpt-4o/chat/completions', { messages }],
    ['/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21', { messages }],
    ['/openai/deployments/org%2Fgpt-4o/chat/completions', { messages }],
    ['/v1beta/models/gemini-2.0-flash%3AgenerateContent', { contents: [{ parts: [{ text: 'hello' }] }] }],
    ['/models/gemini-2.0-flash:generateContent', { contents: [{ parts: [{ text: 'hello' }] }] }],
    ['/openai/deployments/dall-e-3/images/generations', { prompt: 'a cat' }],
    ['/openai/deployments/text-embedding-3-small/embeddings', { input: 'hello' }],
  ])('the call that %s means', async (path, body) => {
    const response = await world.post(path, body)
    expect([response.status, world.simulator.requests.length]).toEqual([200, 1])
    await response.text()
  })

  test.each([
    '/models',
    '/openai/models',
    '/openai/v1/models',
    '/api/v1/models',
    '/v1beta/openai/models',
    '//v1/models',
    '/v1/v1/models',
    '/api/v1/v1/models',
  ])('the list of models at %s', async (path) => {
    const response = await fetch(world.url + path, { headers: { authorization: `Bearer ${world.key}` } })
    expect(await response.json()).toMatchObject({ object: 'list', data: expect.anything() })
  })
})

describe('reranking in the form of', () => {
  const ranking = { model: 'jina-reranker-v2-base-multilingual', query: 'a fruit', documents: ['apple', 'stone'] }

  test.each(['/v2/rerank', '/v1/rerank', '/rerank'])('Cohere and Jina at %s has results', async (path) => {
    const response = await world.post(path, { ...ranking, top_n: 1 })
    expect([response.status, await response.json()]).toMatchObject([200, { results: [{ index: expect.any(Number) }] }])
  })

  test('Voyage has data, and takes its words for the number', async () => {
    const response = await world.post('/v1/rerank', { ...ranking, top_k: 1, truncation: true, return_documents: true })
    const result = { index: expect.any(Number), relevance_score: expect.any(Number), document: expect.any(String) }
    const body: unknown = await response.json()
    expect(body).toMatchObject({ object: 'list', data: [result], usage: { total_tokens: expect.any(Number) } })
    expect(body).not.toHaveProperty('results')
    expect(world.simulator.requests[0]?.json).toMatchObject({ top_n: 1 })
    expect(world.simulator.requests[0]?.json).not.toHaveProperty('truncation')
  })
})

test.each([
  ['/api/v1/chat/completions', true],
  ['/v1/chat/completions', false],
])('a stream at %s ends with its usage unasked: %p', async (path, isIncluded) => {
  const text = await (await world.post(path, { ...chat, stream: true })).text()
  expect(text.includes('"total_tokens"')).toBe(isIncluded)
})

test('the name in the path is the model where the body names none, and reaches the vendor', async () => {
  await (await world.post('/openai/deployments/gpt-4o-mini/chat/completions', { messages })).text()
  expect(world.simulator.requests[0]).toMatchObject({ path: '/v1/chat/completions', model: 'gpt-4o-mini' })
})

test.each([
  ['/openai/deployments/gpt-4o/chat/completions', { error: { code: 'invalid_api_key' } }],
  ['/anthropic/v1/messages', { type: 'error', error: { type: 'authentication_error' } }],
])('a wrong key at %s is refused in the dialect of its client', async (path, error) => {
  const response = await world.post(path, chat, { key: 'sk-wrong' })
  expect([response.status, await response.json()]).toMatchObject([401, error])
})

test.each([
  '/v1/nothing',
  '/v1/v1/nothing',
  '/v1/v1/v1/chat/completions',
  '/openai/deployments/gpt-4o/nothing',
  '/chats',
  '/nothing/v1/models',
])('the address %s is answered with a 404', async (path) => {
  expect((await world.post(path, chat)).status).toBe(404)
})

test.each(['/v1/chat/completions', '/v1/models/a', '/v1beta/models/m:generateContent', '/mj/submit/imagine', '/'])(
  '%s stays as it is',
  (path) => {
    expect(standardPath(path)).toBe(path)
  },
)
