import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { aTarget } from './fixture'
import { hs256Token } from './signed-token'
import { zhipu } from './zhipu'
import { ZhipuUnframer } from './zhipu-unframer'

describe('a signed token', () => {
  test('a token signed with HS256 equals the example of jwt.io', () => {
    const claims = { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 }
    expect(hs256Token({ alg: 'HS256', typ: 'JWT' }, claims, 'your-256-bit-secret')).toBe(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    )
  })
})

describe('Zhipu', () => {
  const day = 24 * 60 * 60 * 1000
  const authorizationAt = async (nowMs: number, key: string, model = 'glm-4.6'): Promise<string> => {
    const tools = { fetch: () => Promise.reject(new Error('Not asked')), now: () => nowMs }
    const request = { url: 'https://x', headers: {}, body: '' }
    const credentials = await zhipu.authorize?.(request, aTarget({ key, model }), tools)
    return credentials?.headers?.['authorization'] ?? ''
  }
  const partsOf = (token: string): unknown[] =>
    token
      .split('.')
      .slice(0, 2)
      .map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()))

  test('signs a token of a day with the second half of the key', async () => {
    const now = 1_800_000_000_000
    const authorization = await authorizationAt(now, 'an-id.a-secret')
    expect(authorization).toStartWith('Bearer ')
    const header = { alg: 'HS256', sign_type: 'SIGN' }
    const claims = { api_key: 'an-id', exp: now + day, timestamp: now }
    expect(partsOf(authorization.slice('Bearer '.length))).toEqual([header, claims])
    expect(authorization).toBe(`Bearer ${hs256Token(header, claims, 'a-secret')}`)
  })

  test('keeps its token until shortly before it ends', async () => {
    const now = 1_810_000_000_000
    const first = await authorizationAt(now, 'kept.a-secret')
    expect(await authorizationAt(now + day - 11 * 60_000, 'kept.a-secret')).toBe(first)
    expect(await authorizationAt(now + day - 9 * 60_000, 'kept.a-secret')).not.toBe(first)
    expect(await authorizationAt(now, 'other.a-secret')).not.toBe(first)
  })

  test('models of the third API are sent the token alone', async () => {
    const now = 1_820_000_000_000
    const bearer = await authorizationAt(now, 'third.a-secret')
    expect(`Bearer ${await authorizationAt(now, 'third.a-secret', 'chatglm_pro')}`).toBe(bearer)
  })

  test.each(['plain', 'a.b.c', '.x', 'x.'])('the key %j is sent as it is', async (key) => {
    expect(await authorizationAt(1_830_000_000_000, key)).toBe(`Bearer ${key}`)
  })
})

describe('a stream of the third API', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  const unframe = (text: string, size: number): string => {
    const unframer = new ZhipuUnframer()
    const bytes = bytesOf(text)
    const out: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) out.push(unframer.push(bytes.subarray(at, at + size)))
    return Buffer.concat([...out, unframer.end()]).toString()
  }
  const stream =
    'event:add\nid:1\ndata: In\ndata:January\n\nevent:finish\nid:1\ndata:\nmeta:{"task_id":"t","usage":{"total_tokens":"3"}}\n\n'
  const events =
    'data: {"event":"add","data":" In\\nJanuary"}\n\n' +
    'data: {"event":"finish","data":"","meta":{"task_id":"t","usage":{"total_tokens":"3"}}}\n\n'

  test('becomes JSON texts, wherever it was cut', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 200 }), (size) => expect(unframe(stream, size)).toBe(events)))
    expect(unframe(stream.trimEnd(), 7)).toBe(events)
  })

  test('an answer in one piece is passed on as one event', () => {
    expect(unframe('{"code":1261,\n"success":false}', 4)).toBe('data: {"code":1261, "success":false}\n\n')
  })

  test('a field that is not JSON and comments are left out', () => {
    expect(unframe(': ping\n\nevent:add\ndata:a\nmeta:{x\n\n', 100)).toBe('data: {"event":"add","data":"a"}\n\n')
  })
})
