import { describe, expect, test } from 'bun:test'

import type { AuthTools, SharedToken } from '../provider'
import { BaiduTokens } from './baidu-auth'
import { aTarget } from './fixture'

const day = 24 * 60 * 60 * 1000
const target = aTarget({ key: 'an-id|a-secret', baseUrl: 'https://aip.example' })
const request = { url: 'https://aip.example/x', headers: {}, body: '' }

/** A token service that numbers its tokens, and workers that share a store. */
function aVendor(answer?: () => Response) {
  const requested: string[] = []
  const stored = new Map<string, SharedToken>()
  const clock = { now: 1_800_000_000_000 }
  const tools: AuthTools = {
    now: () => clock.now,
    fetch: async (url) => {
      requested.push(url)
      return answer?.() ?? Response.json({ access_token: `24.${requested.length}`, expires_in: 30 * 24 * 60 * 60 })
    },
    sharedTokens: {
      read: async (name) => stored.get(name) ?? null,
      write: async (name, token) => void stored.set(name, token),
    },
  }
  const aWorker = () => {
    const tokens = new BaiduTokens()
    return {
      token: async (key = target.key) =>
        (await tokens.authorize(request, { ...target, key }, tools)).query?.['access_token'],
      renew: (refused: string) => tokens.renew(target, { query: { access_token: refused } }, clock.now),
    }
  }
  return { asked: requested, clock, aWorker }
}

describe('an access token of Baidu', () => {
  test('an access token is fetched once for all calls of all workers', async () => {
    const { asked: requested, aWorker } = aVendor()
    const [one, other] = [aWorker(), aWorker()]
    expect(await Promise.all([one.token(), one.token()])).toEqual(['24.1', '24.1'])
    expect(await other.token()).toBe('24.1')
    expect(requested).toEqual([
      'https://aip.example/oauth/2.0/token?grant_type=client_credentials&client_id=an-id&client_secret=a-secret',
    ])
  })

  test('an access token is fetched anew an hour before it ends', async () => {
    const { clock, aWorker } = aVendor()
    const worker = aWorker()
    expect(await worker.token()).toBe('24.1')
    clock.now += 30 * day - 61 * 60_000
    expect(await worker.token()).toBe('24.1')
    clock.now += 2 * 60_000
    expect(await worker.token()).toBe('24.2')
  })

  test('a refused token is fetched anew by one worker and read by the others', async () => {
    const { asked: requested, aWorker } = aVendor()
    const [one, other] = [aWorker(), aWorker()]
    await one.token()
    await other.token()
    expect([one.renew('24.1'), other.renew('24.1')]).toEqual([true, true])
    expect([await one.token(), await other.token()]).toEqual(['24.2', '24.2'])
    expect(requested).toHaveLength(2)
  })

  test('a fresh token that is refused as well is replaced a minute later', async () => {
    const { asked: requested, clock, aWorker } = aVendor()
    const worker = aWorker()
    await worker.token()
    expect(worker.renew('24.1')).toBe(true)
    await worker.token()
    expect(worker.renew('24.2')).toBe(false)
    clock.now += 60_000
    expect([worker.renew('24.2'), await worker.token(), requested.length]).toEqual([true, '24.3', 3])
  })

  test('a call whose token another call has replaced meanwhile goes on with the new one', async () => {
    const { asked: requested, aWorker } = aVendor()
    const worker = aWorker()
    await worker.token()
    worker.renew('24.1')
    await worker.token()
    expect([worker.renew('24.1'), await worker.token(), requested.length]).toEqual([true, '24.2', 2])
  })

  test('a key without a secret is sent as the token', async () => {
    const { asked: requested, aWorker } = aVendor()
    expect(await aWorker().token('24.ready')).toBe('24.ready')
    expect(requested).toEqual([])
  })

  test.each(['|a-secret', 'an-id|', 'a|b|c'])('the key %j is refused', async (key) => {
    expect(aVendor().aWorker().token(key)).rejects.toThrow(TypeError)
  })

  test.each([401, 200])('an account that Baidu refuses with status %d is at fault', async (status) => {
    const refusal = { error: 'invalid_client', error_description: 'unknown client id' }
    const { aWorker } = aVendor(() => Response.json(refusal, { status }))
    expect(aWorker().token()).rejects.toThrow(
      new TypeError(`Baidu gave no token (status ${status}): unknown client id`),
    )
  })
})
