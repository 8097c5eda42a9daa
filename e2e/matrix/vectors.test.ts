import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { GoogleGenAI } from '@google/genai'

import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { call } from '../call'
import { quotaByTokens } from '../formula'
import { aWorld, untilAllKnow, type World } from '../world'
import { loggedCall } from './logged-call'
import { ModeTable } from './mode-table'
import { embedders, judges, plainVendors, rankers, startPlainStudio } from './plain-studio'

setDefaultTimeout(120_000)

/** Vendors with a form of their own. */
const ownEmbedders = [
  { name: 'Gemini', type: 24, model: 'gemini-embedding-001', key: 'a-key', path: '' },
  { name: 'Cohere', type: 34, model: 'embed-v4.0', key: 'a-key', path: '/cohere' },
  { name: 'Ollama', type: 4, model: 'bge-m3', key: 'none', path: '' },
  { name: 'Baidu', type: 15, model: 'bge-large-zh', key: 'an-id|not-a-real-secret', path: '' },
  { name: 'Tencent', type: 23, model: 'hunyuan-embedding', key: 'an-app|an-id|not-a-real-secret', path: '' },
] as const
const ownRankers = [
  { name: 'Cohere', type: 34, model: 'rerank-v3.5', key: 'a-key', path: '/cohere' },
  { name: 'Jina', type: 38, model: 'jina-reranker-v3', key: 'a-key', path: '' },
] as const
const own = [...ownEmbedders, ...ownRankers]

const vectors = new ModeTable({
  heading: '# Vectors',
  intro: 'Vectors from each vendor, as numbers and packed, with charges by the published formula.',
  columns: ['OpenAI’s SDK', 'Google’s SDK'],
})
const judgements = new ModeTable({
  heading: '# Ranking and moderation',
  intro:
    'Ranks of documents by a plain call in the form of Cohere and Jina, moderation by the SDK of OpenAI, with charges by the published formula.',
  columns: ['ranks', 'moderates'],
})

const ratio = 3
const studio = startPlainStudio()
let world: World
let ledger: LedgerAudit
beforeAll(async () => {
  const models = [...own, ...plainVendors].map(({ model }) => model)
  world = await aWorld({
    models: ['gpt-4o'],
    simulator: { models: own.map(({ model }) => model) },
    options: { ModelRatio: Object.fromEntries(models.map((model) => [model, ratio])) },
  })
  for (const { name, type, model, key, path } of own)
    await world.console.addChannel({ name, type, key, models: model, base_url: world.simulator.url + path })
  for (const [index, { name, type, model, key = 'a-key', other = '', path, isWhole }] of plainVendors.entries()) {
    const base_url = `${studio.url}${index}${isWhole ? path : ''}`
    await world.console.addChannel({ name, type, key, models: model, base_url, ...(other && { other }) })
  }
  await untilAllKnow(world.gateway, world.key, models)
  ledger = openLedgerAudit(world.gateway.dataDir)
})
afterAll(async () => {
  await ledger[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await studio.stop(true)
  await vectors.keep()
  await judgements.keep()
})

/** Resolves with what a call returned and the tokens it was charged for, by the formula. */
async function measureCharge<Answer>(model: string, send: () => Promise<Answer>) {
  const { answer, row } = await loggedCall(ledger, model, send)
  const prompt = row.prompt_tokens
  expect(prompt).toBeGreaterThan(0)
  expect(row.quota).toBe(quotaByTokens({ model: ratio }, { prompt, completion: 0 }))
  return { answer, prompt }
}

describe.each<{ readonly name: string; readonly model: string }>([...embedders, ...ownEmbedders])(
  'vectors of $name',
  ({ name, model }) => {
    test('vectors reach the SDK of OpenAI as numbers and packed', async () => {
      const input = ['a', 'b']
      const { embeddings } = world.client
      const floats = await measureCharge(model, () => embeddings.create({ model, input, encoding_format: 'float' }))
      const packed = await measureCharge(model, () => embeddings.create({ model, input }))
      const [first, second] = floats.answer.data
      expect(floats.prompt).toBe(floats.answer.usage.prompt_tokens)
      expect(first?.embedding.length).toBeGreaterThan(1)
      expect(first?.embedding).not.toEqual(second?.embedding)
      for (const [index, { embedding }] of packed.answer.data.entries())
        for (const [at, value] of embedding.entries())
          expect(value).toBeCloseTo(floats.answer.data[index]?.embedding[at] ?? 9, 5)
      vectors.pass(name, 'OpenAI’s SDK', 'w')
    })

    // That SDK takes what stands before a slash for a publisher.
    const testOfGoogle = model.includes('/') ? null : test
    testOfGoogle?.('vectors reach the SDK of Google', async () => {
      const google = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
      const { answer } = await measureCharge(model, () => google.models.embedContent({ model, contents: ['a', 'b'] }))
      expect(answer.embeddings).toHaveLength(2)
      expect(answer.embeddings?.[0]?.values?.length).toBeGreaterThan(1)
      vectors.pass(name, 'Google’s SDK', 'w')
    })
  },
)

test.each<{ readonly name: string; readonly model: string }>([...ownRankers, ...rankers])(
  '$name ranks documents and returns them',
  async ({ name, model }) => {
    const documents = ['Rain in Ulm', { text: 'Sun in Oslo' }]
    const body = { model, query: 'Where does it rain?', documents, return_documents: true }
    const { answer, prompt } = await measureCharge(model, () =>
      call(world.gateway, world.key, body, { path: '/v1/rerank' }),
    )
    expect(answer.status).toBe(200)
    const { results, usage } = JSON.parse(answer.text)
    expect(results).toHaveLength(2)
    for (const { index, document, relevance_score: score } of results) {
      expect(document.text).toBe(['Rain in Ulm', 'Sun in Oslo'][index])
      expect(score).toBeNumber()
    }
    expect(prompt).toBe(usage.total_tokens)
    judgements.pass(name, 'ranks', 'w')
  },
)

test.each(judges)('the SDK of OpenAI moderates with $name', async ({ name, model }) => {
  const { answer } = await measureCharge(model, () =>
    world.client.moderations.create({ model, input: 'My number is 555' }),
  )
  expect(answer.results[0]?.categories).toMatchObject({ pii: true })
  judgements.pass(name, 'moderates', 'w')
})
