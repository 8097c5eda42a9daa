import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { aPaymentSite, type PaymentSite } from '../../../test/payment-site'
import { createOutbound } from '../../platform/net/outbound/outbound'
import { testCallbackAddress } from './self-test'

setDefaultTimeout(120_000)

let world: PaymentSite
let other: PaymentSite
beforeAll(async () => {
  world = await aPaymentSite('sqlite')
  other = await aPaymentSite('sqlite')
})
afterAll(() => Promise.all([world[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]))

/** Tests the address of `world` with this response. */
const runSelfTest = (respond: (request: Request) => Promise<Response>, addresses = ['93.184.216.34']) => {
  const send = Object.assign(
    (url: URL, init: RequestInit) => respond(new Request(url, { headers: init.headers })),
    fetch,
  )
  const outbound = createOutbound({
    config: { port: 3000, outboundRanges: [] },
    lookup: () => Promise.resolve(addresses.map((address) => ({ address }))),
    fetch: send,
    workerFetch: fetch,
    worker: () => null,
  })
  return testCallbackAddress({ ...world.ctx, outbound })
}

const by = (site: PaymentSite) => async (request: Request) => site.site.app.fetch(request, { address: '203.0.113.1' })
const url = 'https://gate.example/api/user/epay/notify'

test('the callback address is right where this installation responds', async () => {
  expect(await runSelfTest(by(world))).toEqual({ outcome: 'ok', url, status: 200, excerpt: '' })
})

test('the callback address is wrong where something else responds, which is shown', async () => {
  const page = () => Promise.resolve(new Response('<html>Sign in</html>', { status: 403 }))
  expect(await runSelfTest(page)).toEqual({ outcome: 'elsewhere', url, status: 403, excerpt: '<html>Sign in</html>' })
  expect(await runSelfTest(by(other))).toMatchObject({ outcome: 'elsewhere', status: 200 })
})

test('a callback address that cannot be called says why', async () => {
  expect(await runSelfTest(by(world), ['192.168.1.7'])).toMatchObject({ outcome: 'not_public', url })
  expect(await runSelfTest(() => Promise.reject(new Error('refused')))).toMatchObject({
    outcome: 'unreachable',
    status: 0,
  })
  await world.set({ ServerAddress: 'http://gate.example' })
  expect(await runSelfTest(by(world))).toMatchObject({ outcome: 'not_public' })
  await world.set({ ServerAddress: '' })
  expect(await runSelfTest(by(world))).toEqual({ outcome: 'no_address', url: '', status: 0, excerpt: '' })
})
