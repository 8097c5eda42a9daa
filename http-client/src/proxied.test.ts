import { afterEach, describe, expect, test } from 'bun:test'

import { Cancellation } from './cancellation'
import { ConnectTimeout } from './connection'
import { createProxied } from './proxied'
import { UpstreamClient } from './upstream-client'
import { FakeTime } from '../../gateway/test/fake-time'
import { systemTimers } from '../../gateway/src/platform/time/timers'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** Responds to every request itself, and records the requested address. */
function aProxy(respond: (head: string) => string) {
  const seen: string[] = []
  const [requested, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        const [line = ''] = bytes.toString('latin1').split('\r\n')
        seen.push(line)
        requested.resolve()
        socket.write(respond(line))
      },
      close: () => closed.resolve(),
    },
  })
  cleanups.push(() => server.stop(true))
  return { seen, requested: requested.promise, closed: closed.promise, url: `http://127.0.0.1:${server.port}` }
}

function send(proxy: string | undefined, cancellation = new Cancellation(), connectTimeoutMs = 5_000) {
  const client = new UpstreamClient(
    { connectTimeoutMs, usesProxy: proxy === undefined },
    { clock: new FakeTime(), timers: systemTimers },
  )
  cleanups.push(() => client[Symbol.dispose]())
  return client.send({ url: 'http://upstream.invalid/v1/chat', headers: {}, body: '{}', proxy }, cancellation)
}

test('a call goes through its proxy, which resolves the host', async () => {
  const proxy = aProxy(() => 'HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy')
  const { status, headers, body } = await send(proxy.url)
  const { value } = await body.read()
  expect([status, headers.get('retry-after'), Buffer.from(value ?? []).toString()]).toEqual([429, '7', 'busy'])
  expect((await body.read()).done).toBe(true)
  expect(proxy.seen).toEqual(['POST http://upstream.invalid/v1/chat HTTP/1.1'])
})

test('a response without a body is read to its end', async () => {
  const proxy = aProxy(() => 'HTTP/1.1 204 No Content\r\n\r\n')
  const { status, body } = await send(proxy.url)
  expect([status, (await body.read()).done]).toEqual([204, true])
  await body.cancel()
})

test('a redirect is not followed', async () => {
  const proxy = aProxy(() => 'HTTP/1.1 302 Found\r\nLocation: http://elsewhere.invalid/\r\nContent-Length: 0\r\n\r\n')
  expect((await send(proxy.url)).status).toBe(302)
  expect(proxy.seen).toHaveLength(1)
})

test('cancelling a call closes the connection to the proxy', async () => {
  const leaving = new Cancellation()
  const proxy = aProxy(() => {
    setImmediate(() => leaving.cancel())
    return ''
  })
  const failure = await send(proxy.url, leaving).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'AbortError' })
  await proxy.closed
})

test('the runtime decides where the environment names proxies; a host that does not resolve fails', async () => {
  const failure = await send(undefined).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
})

describe('a proxy that responds late', () => {
  const request = (proxy: string) => ({ url: 'http://upstream.invalid/v1/chat', headers: {}, body: '{}', proxy })
  const never = new Cancellation()

  test('a late proxy that does not accept connections times out', async () => {
    const proxy = aProxy(() => '')
    const time = new FakeTime()
    const send = createProxied({ canConnect: () => Promise.resolve(false) }, time, 5_000)
    const sending = send(request(proxy.url), never).catch((error: unknown) => error)
    // Before, there is no connection that could be closed.
    await proxy.requested
    time.advance(2_500)
    const failure = await sending
    expect(failure).toBeInstanceOf(ConnectTimeout)
    await proxy.closed
  })

  test('a late proxy that responds during the probe is used, whatever the probe finds', async () => {
    const tried = Promise.withResolvers<void>()
    const probeResult = Promise.withResolvers<boolean>()
    const requested = Promise.withResolvers<void>()
    let respond: (text: string) => void = () => {}
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          respond = (text) => void socket.write(text)
          requested.resolve()
        },
      },
    })
    cleanups.push(() => server.stop(true))
    const canConnect = () => {
      tried.resolve()
      return probeResult.promise
    }
    const time = new FakeTime()
    const sending = createProxied({ canConnect }, time, 5_000)(request(`http://127.0.0.1:${server.port}`), never)
    await requested.promise
    time.advance(2_500)
    await tried.promise
    respond('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfi')
    const { body } = await sending
    expect(Buffer.from((await body.read()).value ?? []).toString()).toBe('fi')
    probeResult.resolve(false)
    await probeResult.promise
    respond('ne')
    expect(Buffer.from((await body.read()).value ?? []).toString()).toBe('ne')
  })
})
