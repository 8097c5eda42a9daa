import { expect, test } from 'bun:test'

import { FakeTime } from '../../gateway/test/fake-time'
import { createReachability } from './reachability'

function listener() {
  const seen = { probes: 0 }
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: () => void (seen.probes += 1), data() {} },
  })
  return { seen, url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) }
}

test('a host that accepts connections is probed once for all callers, and again when that is long ago', async () => {
  const time = new FakeTime()
  const reachability = createReachability(time)
  const host = listener()
  const all = await Promise.all([
    reachability.canConnect(host.url, 5_000),
    reachability.canConnect(`${host.url}/other`, 5_000),
  ])
  expect([...all, await reachability.canConnect(host.url, 5_000)]).toEqual([true, true, true])
  expect(host.seen.probes).toBe(1)
  time.advance(2_000)
  expect(await reachability.canConnect(host.url, 5_000)).toBe(true)
  expect(host.seen.probes).toBe(2)
  host.stop()
})

test('a refused connection counts as reachable, as the call itself learns of it', async () => {
  const host = listener()
  host.stop()
  expect(await createReachability(new FakeTime()).canConnect(host.url, 5_000)).toBe(true)
})

test('a proxy’s password and the brackets of an IPv6 address are not part of the host', async () => {
  const reachability = createReachability(new FakeTime())
  const host = listener()
  expect(await reachability.canConnect(host.url.replace('//', '//user:not-a-real-password@'), 5_000)).toBe(true)
  expect(host.seen.probes).toBe(1)
  host.stop()
  expect(await reachability.canConnect('http://[::1]:9/', 5_000)).toBe(true)
})
