import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { metricsHeaders } from './gateway'
import { until } from './ledger-view'
import { aProcessWorld, type ProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const workers = 2
let world: ProcessWorld
beforeAll(async () => {
  world = await aProcessWorld({ gateway: { workers } })
})
afterAll(() => world[Symbol.asyncDispose]())

const read = async () =>
  (
    await fetch(`${world.gateway.url}/metrics`, {
      headers: metricsHeaders,
      keepalive: false,
      signal: AbortSignal.timeout(5000),
    })
  ).text()

test('any worker reports the metrics of all', async () => {
  const calls = 20
  for (let call = 0; call < calls; call += 1) {
    const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, connection: 'close' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }),
      keepalive: false,
    })
    await response.text()
  }
  for (let time = 0; time < 5; time += 1) expect(await read()).toContain(`tollgate_charges_total ${calls}\n`)
})

test('a worker that died and was replaced is counted', async () => {
  const before = await read()
  expect(before).toContain(`tollgate_workers ${workers}\n`)
  expect(before).toContain(`tollgate_workers_alive ${workers}\n`)
  expect(before).toContain('tollgate_worker_restarts_total 0\n')
  process.kill(world.gateway.workerIds()[0] ?? 0, 'SIGKILL')
  const after = await until(
    () => read().catch(() => ''),
    (text) =>
      text.includes('tollgate_worker_restarts_total 1\n') && text.includes(`tollgate_workers_alive ${workers}\n`),
    45_000,
  )
  expect(after).toContain('tollgate_worker_restarts_total 1\n')
  expect(after).toContain(`tollgate_workers_alive ${workers}\n`)
  expect(world.gateway.output()).toContain('A worker died')
})
