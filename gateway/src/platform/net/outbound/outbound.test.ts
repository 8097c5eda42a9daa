import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { aCertificateFor, cannotMakeCertificates, type Certified } from '../../../../test/tls'
import { createOutbound, type OutboundRequest, type Worker } from './outbound'
import { publicAddresses } from './public-address'

const isOpen = (address: string, opened: readonly string[] = [], port = 443): boolean => {
  try {
    publicAddresses(opened, 3000)(address, port)
    return true
  } catch {
    return false
  }
}

describe('an address that a person enters', () => {
  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '64:ff9b::808:808'])(
    'an entered address may be %s',
    (address) => expect(isOpen(address)).toBe(true),
  )

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1%eth0',
    'ff02::1',
    '2002:a00:1::',
    '2001:db8::1',
    '64:ff9b:1::808:808',
    '4000::1',
    'a.name',
  ])('an entered address may not be %s', (address) => expect(isOpen(address)).toBe(false))

  test('an entered address may be in a range that the operator opened, but never the cloud’s or the gateway’s own', () => {
    const opened = ['10.0.0.0/8', '192.168.7.7', 'fd00::/8', '169.254.0.0/16', '127.0.0.0/8']
    expect(['10.9.9.9', '192.168.7.7', 'fd00::5', '127.0.0.1'].map((address) => isOpen(address, opened))).toEqual(
      Array(4).fill(true),
    )
    expect(['192.168.7.8', '172.16.0.1', '169.254.169.254'].map((address) => isOpen(address, opened))).toEqual(
      Array(3).fill(false),
    )
    expect(isOpen('127.0.0.1', opened, 3000)).toBe(false)
  })
})

const lookup = (hostname: string) => Bun.dns.lookup(hostname).catch(() => [])

describe('an outbound worker', () => {
  const workerRequests: unknown[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      workerRequests.push(await request.json())
      return new Response('taken by the worker', { status: 202, headers: { 'content-type': 'text/plain' } })
    },
  })
  afterAll(() => server.stop(true))
  const worker: Worker = { url: server.url.href, key: 'worker-key' }
  const outbound = createOutbound({
    config: { port: 3000, outboundRanges: [] },
    lookup,
    fetch,
    workerFetch: fetch,
    worker: () => worker,
  })
  const request = { method: 'POST', headers: { 'X-Any': '1' }, body: '{}', timeoutMs: 5000, maxBytes: 5 } as const

  test('the worker is called instead, with its key, and its response is returned', async () => {
    workerRequests.length = 0
    const response = await outbound.send({ ...request, url: 'https://hook.invalid/a' })
    expect([response.status, response.contentType, new TextDecoder().decode(response.body)]).toEqual([
      202,
      'text/plain',
      'taken',
    ])
    expect(workerRequests).toEqual([
      { url: 'https://hook.invalid/a', key: 'worker-key', method: 'POST', headers: { 'X-Any': '1' }, body: {} },
    ])
  })

  test.each(['https://127.0.0.1/a', 'https://localhost/a', 'http://hook.invalid/a', 'https://a:b@hook.invalid', 'no'])(
    'the worker is not called for %s',
    async (url) => {
      workerRequests.length = 0
      expect(await outbound.send({ ...request, url }).catch((error: Error) => error.name)).toBe('OutboundRefused')
      expect(workerRequests).toEqual([])
    },
  )
})

/** Sends in a process that trusts another authority, with this machine's addresses allowed. */
async function overTls(certified: Certified, requests: readonly OutboundRequest[]): Promise<unknown> {
  const printed = await certified.run(
    `import { createOutbound } from ${JSON.stringify(join(import.meta.dir, 'outbound.ts'))}
    const config = { port: 0, outboundRanges: ['127.0.0.0/8', '::1'] }
    // A name that resolves differently when it is looked up again.
    const changing = ['127.0.0.1', '10.0.0.1']
    const lookup = async (hostname) =>
      hostname === 'localhost' ? [{ address: '127.0.0.1' }]
      : hostname === 'changing.test' ? [{ address: changing.shift() }]
      : Bun.dns.lookup(hostname).catch(() => [])
    const outbound = createOutbound({ config, lookup, fetch, workerFetch: fetch, worker: () => null })
    const said = []
    for (const request of ${JSON.stringify(requests)}) {
      const text = ({ status, body }) => status + ' ' + new TextDecoder().decode(body)
      said.push(await outbound.send(request).then(text, ({ name, code }) => code ?? name))
    }
    process.stdout.write(JSON.stringify(said))
    process.exit()`,
  )
  return JSON.parse(printed)
}

test.skipIf(cannotMakeCertificates)('redirects are followed to allowed addresses', async () => {
  using certified = aCertificateFor('localhost', 'changing.test')
  const { tls } = certified
  const to = (location: string, status: number) => new Response(null, { status, headers: { location } })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls,
    routes: {
      '/echo': async (request) => new Response(`${request.method} ${await request.text()}`),
      '/kept': () => to('/echo', 307),
      '/turned': () => to('/echo', 302),
      '/private': () => to('https://10.0.0.1/', 307),
      '/plain': () => to('http://localhost/', 307),
      '/circle': () => to('/circle', 308),
      '/long': () => new Response('x'.repeat(100_000)),
      '/silent': () => new Promise<Response>(() => {}),
    },
  })
  const base = { headers: {}, maxBytes: 20, timeoutMs: 5000 }
  const post = (path: string, timeoutMs = 5000): OutboundRequest => ({
    ...base,
    method: 'POST',
    body: 'hello',
    url: `https://localhost:${server.port}${path}`,
    timeoutMs,
  })
  const get = (path: string): OutboundRequest => ({ ...post(path), method: 'GET', body: '' })
  const at = (host: string) => ({ ...post('/echo'), url: `https://${host}:${server.port}/echo` })
  // Reached at the address that was checked; refused once the name leads elsewhere; and a certificate of another name.
  const byName = [at('changing.test'), at('changing.test'), at('127.0.0.1')]
  const sent = [post('/echo'), post('/kept'), post('/turned'), get('/turned'), post('/private'), post('/plain')]
  expect(await overTls(certified, [...sent, post('/circle'), get('/long'), post('/silent', 100), ...byName])).toEqual([
    '200 POST hello',
    '200 POST hello',
    '302 ',
    '200 GET ',
    'OutboundRefused',
    'OutboundRefused',
    '308 ',
    `200 ${'x'.repeat(20)}`,
    'OutboundTimeout',
    '200 POST hello',
    'OutboundRefused',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])
  await server.stop(true)
})
