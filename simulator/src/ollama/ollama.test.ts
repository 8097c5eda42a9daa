import { afterAll, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer ollama' }, { models: ['llama3:8b'] })
afterAll(() => simulator.stop())

test('Ollama embeds texts and counts their tokens', async () => {
  const { json } = await send('/api/embed', { model: 'nomic', input: ['hello there', 'x'], dimensions: 4 })
  expect(json).toMatchObject({ model: 'nomic', prompt_eval_count: 4 })
  expect(json.embeddings.map((vector: number[]) => vector.length)).toEqual([4, 4])
  expect(simulator.served.byKey('ollama').promptTokens).toBe(4)
})

test('Ollama lists its models', async () => {
  expect((await send('/api/tags')).json.models).toMatchObject([{ name: 'llama3:8b', model: 'llama3:8b' }])
})

test('errors of Ollama are a text', async () => {
  const response = await send('/api/embed', { model: 'sim-fault-status-500', input: 'x' })
  expect(response).toMatchObject({ status: 500, json: { error: 'Simulated upstream error 500' } })
})
