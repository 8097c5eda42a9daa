import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { providers } from '../../providers/src/index'
import { startSimulator, type Simulator } from '../../simulator/src/simulator'
import { selfCheck } from './self-check'
import { compareShapes, shapeOf } from './shape'

const key = 'sk-not-a-real-key'
let upstream: Simulator
beforeAll(async () => {
  upstream = await startSimulator({ keys: [key] })
})
afterAll(() => upstream.stop())
beforeEach(() => {
  upstream.reset()
  upstream.when(({ body }) => JSON.stringify(body).includes('measure_ice'), { toolCalls: 1 })
})

/** The lines of one vendor, called at the simulator. */
async function lines(id: string, more: Record<string, string> = {}) {
  const prefix = id.toUpperCase()
  const own = {
    [`${prefix}_API_KEY`]: key,
    [`${prefix}_BASE_URL`]: upstream.url,
    [`${prefix}_MODEL`]: 'a-model',
    ...more,
  }
  const checked = await selfCheck(providers, own)
  return { isGood: checked.isGood, lines: checked.lines.filter((line) => !line.includes(': skipped')) }
}

const stripDetails = (found: readonly string[]) => found.map((line) => line.replace(/ \(.*\)$/, ''))

describe('a self-check', () => {
  test('a vendor without a key is skipped by name and called by nothing', async () => {
    const { isGood, lines: output } = await selfCheck(providers, {})
    expect(isGood).toBe(true)
    expect(output).toContain('deepseek: skipped, DEEPSEEK_API_KEY is not set')
    expect(output.every((line) => line.includes(': skipped'))).toBe(true)
    expect(upstream.requests).toHaveLength(0)
    const { lines: azure } = await selfCheck(providers, { AZURE_API_KEY: key })
    expect(azure).toContain('azure: skipped, AZURE_BASE_URL is not set')
  })

  test.each(['deepseek', 'anthropic'])('%s is called plain, in a stream and with a tool', async (id) => {
    const { isGood, lines: output } = await lines(id)
    expect(stripDetails(output)).toEqual([`${id}: plain ok`, `${id}: stream ok`, `${id}: tool call ok`])
    expect(isGood).toBe(true)
  })

  test('a vendor with embeddings is asked for them too', async () => {
    const { isGood, lines: output } = await lines('openai', { OPENAI_EMBEDDING_MODEL: 'text-embedding-3-small' })
    expect(stripDetails(output)).toEqual([
      'openai: plain ok',
      'openai: stream ok',
      'openai: tool call ok',
      'openai: embeddings ok',
    ])
    expect(isGood).toBe(true)
  })

  test('a vendor that counts no tokens of embeddings is understood', async () => {
    const { lines: output } = await lines('gemini', { GEMINI_EMBEDDING_MODEL: 'gemini-embedding-001' })
    expect(stripDetails(output).at(-1)).toBe('gemini: embeddings ok')
  })

  test('a vendor that is called over a WebSocket is skipped by name', async () => {
    const { isGood, lines: output } = await selfCheck(providers, { IFLYTEK_API_KEY: 'app|secret-9|key-9' })
    expect(output).toContain('iflytek: skipped, it is called over a WebSocket')
    expect(isGood).toBe(true)
  })

  test('a vendor is asked for a model that no catalog knows where it suggests no other', async () => {
    const account = { VOLCENGINE_API_KEY: key, VOLCENGINE_BASE_URL: upstream.url }
    const { lines: output } = await selfCheck(providers, account)
    expect(stripDetails(output)).toContain('volcengine: plain ok')
    expect(upstream.requests[0]?.json).toMatchObject({ model: expect.stringContaining('doubao-seed-') })
  })

  test('a vendor that refuses the key fails each call, and the key is not shown', async () => {
    const { isGood, lines: output } = await lines('deepseek', { DEEPSEEK_API_KEY: 'sk-another-secret' })
    expect(isGood).toBe(false)
    expect(stripDetails(output)[0]).toBe('deepseek: plain FAILED')
    expect(output[1]).toContain('status 401')
    expect(output.join('\n')).not.toContain('sk-another-secret')
  })

  test('a vendor that cannot be reached fails with the reason', async () => {
    const { isGood, lines: output } = await lines('deepseek', { DEEPSEEK_BASE_URL: 'http://127.0.0.1:1' })
    expect(isGood).toBe(false)
    expect(stripDetails(output)).toContain('deepseek: plain FAILED')
  })

  test('usage of another kind than the fixture has is a failure', async () => {
    upstream.when(() => true, { usageOverride: { prompt_tokens: '12', completion_tokens: '3', total_tokens: '15' } })
    const { isGood, lines: output } = await lines('deepseek')
    expect(isGood).toBe(false)
    expect(output).toContain('  usage.prompt_tokens: number is string')
  })
})

describe('a shape', () => {
  const known = shapeOf([
    { id: 'a', usage: { tokens: 1, cached: null }, list: [{ text: 'a' }, { text: null, more: 1 }] },
  ])

  test('values of the same kind are equal, and null may stand for anything', () => {
    const same = shapeOf([{ id: 'b', usage: { tokens: 2 }, list: [{ text: 'b', more: 2 }] }])
    expect(compareShapes(known, same)).toEqual({ changed: [], missing: [], added: [] })
    expect(compareShapes(known, shapeOf([{ id: null, usage: { tokens: 2 }, list: [] }])).changed).toEqual([])
  })

  test('a changed kind, a missing and a new member are told apart, the outermost alone', () => {
    const found = shapeOf([{ id: 7, list: [{ text: 'b', more: 2 }], extra: { deep: { deeper: 1 } } }])
    expect(compareShapes(known, found)).toEqual({
      changed: ['id: string is number'],
      missing: ['usage'],
      added: ['extra'],
    })
  })
})
