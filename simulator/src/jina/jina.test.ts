import { afterAll, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer jina' })
afterAll(() => simulator.stop())

const request = { model: 'jina-reranker-v2', query: 'red apples', documents: ['blue sky', 'red apples'] }

test('ranks documents and counts their tokens', async () => {
  const { json } = await send('/v1/rerank', request)
  expect(json).toEqual({
    model: 'jina-reranker-v2',
    usage: { total_tokens: 8 },
    results: [
      { index: 1, relevance_score: 0.9, document: { text: 'red apples' } },
      { index: 0, relevance_score: 0.1, document: { text: 'blue sky' } },
    ],
  })
  expect(simulator.served.byKey('jina').promptTokens).toBe(8)
  const bare = await send('/v1/rerank', { ...request, top_n: 1, return_documents: false })
  expect(bare.json.results).toEqual([{ index: 1, relevance_score: 0.9 }])
})

test('errors of Jina have a detail', async () => {
  expect(await send('/v1/rerank', { ...request, documents: undefined })).toMatchObject({
    status: 422,
    json: { detail: 'documents: Field required' },
  })
})
