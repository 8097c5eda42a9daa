import { expect, test } from 'bun:test'

import { startFixedUpstream } from '@tollgate/simulator'

import { load, quantile } from './load'

const requestOf = (body: string) =>
  Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`)

test.each([
  ['whole', '{"model":"m"}'],
  ['streams', '{"model":"m","stream":true}'],
] as const)('makes as many calls as it says, %s', async (kind, body) => {
  const upstream = startFixedUpstream({ tokens: 3 })
  const result = await load({
    port: upstream.port,
    connections: 4,
    request: requestOf(body),
    milliseconds: 60_000,
    mostCalls: 100,
  })
  await upstream.stop()
  expect(result).toMatchObject({ calls: 100, failures: 0 })
  expect(result.firstBytes).toHaveLength(100)
  expect(upstream.served[kind]).toBe(100)
})

test('a refused connection is a failure', async () => {
  const upstream = startFixedUpstream()
  await upstream.stop()
  const result = await load({
    port: upstream.port,
    connections: 1,
    request: requestOf('{}'),
    milliseconds: 1000,
    mostCalls: 1,
  }).catch(() => null)
  expect(result?.failures ?? 1).toBe(1)
})

test('quantiles of nothing are 0', () => {
  expect(quantile(new Float64Array(), 0.5)).toBe(0)
  expect(quantile(Float64Array.of(1, 2, 3, 4), 0.99)).toBe(4)
})
