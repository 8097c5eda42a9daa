import { afterAll, describe, expect, test } from 'bun:test'

import { Cancellation } from './cancellation'
import { checkAddress, ForbiddenAddress, guardedFetch } from './forbidden-address'
import { UpstreamClient } from './upstream-client'
import { FakeTime } from '../../gateway/test/fake-time'

const seen: string[] = []
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    seen.push(request.url)
    return Response.json({})
  },
})
afterAll(() => server.stop(true))
const port = server.port ?? 0

const isForbidden = (address: string, at = 80, ownPort = 3000): boolean => {
  try {
    checkAddress(address, at, ownPort)
    return false
  } catch (error) {
    return error instanceof ForbiddenAddress
  }
}

describe('an address of the machine’s cloud', () => {
  test.each([
    '169.254.169.254',
    '169.254.1.1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
  ])('%s is forbidden', (address) => expect(isForbidden(address)).toBe(true))

  test.each(['10.0.0.1', '192.168.1.2', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1', '8.8.8.8', 'no-address'])(
    '%s is allowed',
    (address) => expect(isForbidden(address)).toBe(false),
  )
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::ffff:127.0.0.1'])(
  'the gateway’s own port is forbidden at %s, and no other port',
  (address) => {
    expect([isForbidden(address, 3000), isForbidden(address, 3001), isForbidden(address, 0, 0)]).toEqual([
      true,
      false,
      false,
    ])
  },
)

describe('a client of upstreams', () => {
  const send = async (url: string, ownPort: number, proxy?: string) => {
    const config = { connectTimeoutMs: 1000, usesProxy: false, ownPort }
    using client = new UpstreamClient(config, new FakeTime().parts)
    try {
      return (await client.send({ url, headers: {}, body: '{}', proxy }, new Cancellation())).status
    } catch (error) {
      return error instanceof Error ? error.name : ''
    }
  }

  test('the client sends nothing to the gateway’s own port, by whatever name', async () => {
    seen.length = 0
    expect(await send(`http://127.0.0.1:${port}/plain`, port)).toBe('ForbiddenAddress')
    expect(await send(`http://localhost:${port}/plain`, port)).toBe('ForbiddenAddress')
    expect(seen).toEqual([])
    expect(await send(`http://127.0.0.1:${port}/plain`, 0)).toBe(200)
  })

  test('the client asks no proxy for a cloud metadata address, and uses neither that nor the gateway itself as a proxy', async () => {
    seen.length = 0
    expect(await send('http://169.254.169.254/latest', 0, `http://127.0.0.1:${port}`)).toBe('ForbiddenAddress')
    expect(await send('http://models.example/v1', 0, 'http://169.254.169.254')).toBe('ForbiddenAddress')
    expect(await send('http://models.example/v1', port, `http://127.0.0.1:${port}`)).toBe('ForbiddenAddress')
    expect(seen).toEqual([])
  })
})

test('a guarded fetch resolves a host and checks its address before the request', async () => {
  seen.length = 0
  const own = guardedFetch(fetch, port)
  expect(own(`http://localhost:${port}/models`)).rejects.toThrow(ForbiddenAddress)
  expect(guardedFetch(fetch, 0)('http://169.254.169.254/')).rejects.toThrow(ForbiddenAddress)
  const through = (proxy: string, ownPort: number) => guardedFetch(fetch, ownPort)('http://models.example/x', { proxy })
  expect(through('http://169.254.169.254', 0)).rejects.toThrow(ForbiddenAddress)
  expect(through(`http://localhost:${port}`, port)).rejects.toThrow(ForbiddenAddress)
  expect(seen).toEqual([])
  expect((await guardedFetch(fetch, 0)(`http://localhost:${port}/models`)).status).toBe(200)
})

test('a request connects to the address that was checked, under the name that was asked for, and follows no redirect', async () => {
  const sent: { url: string; host: string | null; redirect: string | undefined }[] = []
  const send = Object.assign(
    async (input: string | URL | Request, init?: RequestInit) => {
      sent.push({ url: new Request(input).url, host: new Headers(init?.headers).get('host'), redirect: init?.redirect })
      return new Response()
    },
    { preconnect: fetch.preconnect },
  )
  await guardedFetch(send, 0)(`http://localhost:${port}/models?x=1`)
  expect(sent).toEqual([{ url: `http://127.0.0.1:${port}/models?x=1`, host: `localhost:${port}`, redirect: 'manual' }])
})
