import { expect, test } from 'bun:test'

import { providers } from '../../providers/src/index'
import { Fixture, fixtureOf } from '../../providers/src/vendors/fixture'
import { faults } from '../../simulator/src/faults'
import { startSimulator } from '../../simulator/src/simulator'
import { capture, redacted } from './capture'

test.each(['deepseek', 'anthropic', 'gemini'])('responses of %s are captured into a valid fixture', async (id) => {
  const provider = providers.find((known) => known.id === id)
  if (!provider) throw new Error(`No provider ${id}`)
  const upstream = await startSimulator({ keys: ['sk-secret'], models: ['a-model'] })
  const restored = upstream.when(({ model }) => model === 'a-model-that-does-not-exist', faults['status-404'])
  try {
    const now = new Date('2026-11-23T12:00:00Z')
    const captured = await capture(provider, { baseUrl: upstream.url, key: 'sk-secret', model: 'a-model', now })
    const fixture = Fixture.parse({ ...(await fixtureOf(provider)), ...captured })
    expect(fixture.source).toEqual({ kind: 'recorded', on: '2026-11-23' })
    expect(fixture.error).toMatchObject({ source: { kind: 'recorded' }, status: 404 })
    expect(fixture.usage).toEqual(fixture.streamUsage ?? null)
    expect(JSON.stringify(captured)).not.toContain('sk-secret')
  } finally {
    restored()
    await upstream.stop()
  }
})

test('redaction removes the key and the ids, and nothing else', () => {
  const text = '{"id":"chatcmpl-1","model":"m","note":"key k-9","request_id" : "a\\"b","responseId":"r"}'
  expect(redacted(text, 'k-9')).toBe(
    '{"id":"redacted","model":"m","note":"key key-1","request_id" : "redacted","responseId":"redacted"}',
  )
})
