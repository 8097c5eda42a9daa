import { expect, test } from 'bun:test'

import { providers } from '../../providers/src/index'
import { Fixture, fixtureOf } from '../../providers/src/vendors/fixture'
import { faults } from '../../simulator/src/faults'
import { startSimulator } from '../../simulator/src/simulator'
import { capture, withCaptured } from './capture'

const secret = 'sk-secret'

test.each([
  ['deepseek', null],
  ['anthropic', null],
  ['gemini', 'gemini-embedding-001'],
])('responses of %s are captured into a valid fixture', async (id, embeddingModel) => {
  const provider = providers.find((known) => known.id === id)
  if (!provider) throw new Error(`No provider ${id}`)
  const upstream = await startSimulator({ keys: [secret], models: ['a-model'] })
  const restored = [
    upstream.when(({ model }) => model === 'a-model-that-does-not-exist', faults['status-404']),
    upstream.when(({ body }) => JSON.stringify(body).includes('measure_ice'), { toolCalls: 1 }),
  ]
  try {
    const now = new Date('2026-11-23T12:00:00Z')
    const account = { baseUrl: upstream.url, key: secret, other: '', model: 'a-model', embeddingModel }
    const captured = await capture(provider, account, now)
    const known = await fixtureOf(provider)
    const fixture = Fixture.parse(withCaptured(provider, account, known, captured))
    expect(fixture.source).toEqual({ kind: 'recorded', on: '2026-11-23' })
    expect(fixture.error).toMatchObject({ source: { kind: 'recorded' }, status: 404 })
    expect(fixture.usage).toEqual(fixture.streamUsage ?? null)
    expect(JSON.stringify(captured)).not.toContain(secret)
    expect(captured.others.map(({ way }) => way.mode)).toEqual(embeddingModel ? ['chat', 'embeddings'] : ['chat'])
    expect(JSON.stringify(captured.others[0]?.answer)).toContain('measure_ice')
    // A second run replaces what the first recorded, and nothing else.
    const again = Fixture.parse(withCaptured(provider, account, fixture, captured))
    expect(again.others).toHaveLength(fixture.others.length)
    expect(fixture.others.length).toBeGreaterThanOrEqual(captured.others.length)
  } finally {
    for (const restore of restored) restore()
    await upstream.stop()
  }
})

test('what a vendor has no form of its own for is left as the fixture has it', async () => {
  const provider = providers.find(({ id }) => id === 'cohere')
  if (!provider) throw new Error('No such provider')
  const upstream = await startSimulator({ keys: [secret], models: ['a-model'] })
  const restore = upstream.when(({ model }) => model === 'a-model-that-does-not-exist', {
    fault: { kind: 'status', status: 404, body: 'no such model' },
  })
  try {
    const account = { baseUrl: upstream.url, key: secret, other: '', model: 'a-model', embeddingModel: null }
    const captured = await capture(provider, account, new Date('2026-11-23T12:00:00Z'))
    expect(captured).not.toContainKeys(['error', 'modelList'])
    const known = await fixtureOf(provider)
    const { error, modelList } = Fixture.parse(withCaptured(provider, account, known, captured))
    expect({ error, modelList }).toEqual({ error: known.error, modelList: known.modelList })
  } finally {
    restore()
    await upstream.stop()
  }
})

test('a chat in another dialect than the fixture shows stands beside it', async () => {
  const provider = providers.find(({ id }) => id === 'tencent')
  if (!provider) throw new Error('No such provider')
  const upstream = await startSimulator({ keys: [secret], models: ['a-model'] })
  const restore = upstream.when(({ model }) => model === 'a-model-that-does-not-exist', faults['status-404'])
  try {
    const account = { baseUrl: upstream.url, key: secret, other: '', model: 'a-model', embeddingModel: null }
    const captured = await capture(provider, account, new Date('2026-11-23T12:00:00Z'))
    const known = await fixtureOf(provider)
    const fixture = Fixture.parse(withCaptured(provider, account, known, captured))
    const { others, ...usual } = fixture
    expect(usual).toEqual(expect.objectContaining({ answer: known.answer, error: known.error }))
    expect(others).toContainEqual(
      expect.objectContaining({
        way: { mode: 'chat', model: 'a-model' },
        answer: captured.answer,
        stream: captured.stream,
      }),
    )
  } finally {
    restore()
    await upstream.stop()
  }
})
