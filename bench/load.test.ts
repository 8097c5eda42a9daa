import { expect, test } from 'bun:test'

import { startFixedUpstream } from '@tollgate/simulator'

import { load } from './load'

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
    maxCalls: 100,
  })
  await upstream.stop()
  expect(result).toMatchObject({ calls: 100, failures: 0 })
  expect(result.firstTokens).toHaveLength(100)
  expect(upstream.served[kind]).toBe(100)
})

test.each([false, true])(
  'a refused connection is a failure and is not tried again, leaving early: %p',
  async (leavesEarly) => {
    const upstream = startFixedUpstream()
    await upstream.stop()
    const result = await load({
      port: upstream.port,
      connections: 2,
      request: requestOf('{}'),
      milliseconds: 60_000,
      maxCalls: 10,
      leavesEarly,
    })
    expect(result).toMatchObject({ calls: 0, failures: 2 })
  },
)

test('a request larger than a socket takes at once arrives whole', async () => {
  const upstream = startFixedUpstream({ tokens: 1 })
  const result = await load({
    port: upstream.port,
    connections: 2,
    request: requestOf(`{"text":"${'x'.repeat(8_000_000)}"}`),
    milliseconds: 60_000,
    maxCalls: 4,
  })
  await upstream.stop()
  expect(result).toMatchObject({ calls: 4, failures: 0 })
})

test('clients that leave early are not counted as failures, and the upstream notices each', async () => {
  const upstream = startFixedUpstream({ tokens: 40, gapMs: 1 })
  const result = await load({
    port: upstream.port,
    connections: 4,
    request: requestOf('{"model":"m","stream":true}'),
    milliseconds: 60_000,
    maxCalls: 40,
    leavesEarly: true,
  })
  while (upstream.inFlight > 0) await Bun.sleep(1)
  await upstream.stop()
  expect(result).toMatchObject({ calls: 40, failures: 0 })
  expect(upstream.served.aborted).toBeGreaterThan(0)
  expect(upstream.served.aborted + upstream.served.streams).toBe(40)
})

test('a stream without its pace tells nothing of lateness', async () => {
  const upstream = startFixedUpstream({ tokens: 3, gapMs: 1 })
  const options = {
    port: upstream.port,
    connections: 1,
    request: requestOf('{"stream":true}'),
    milliseconds: 60_000,
    maxCalls: 2,
  }
  const without = await load(options)
  const withPace = await load({ ...options, paceMs: 1 })
  await upstream.stop()
  expect(without.lateness).toHaveLength(0)
  expect(withPace.lateness.length).toBeGreaterThan(0)
})
