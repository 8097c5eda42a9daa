import { expect, setDefaultTimeout, test } from 'bun:test'

import { RealtimeUpstream } from '@tollgate/simulator'

import { connectRealtime } from '../gateway/test/realtime-client'
import { openLedgerAudit } from './ledger-audit'
import { aProcessWorld, untilAllKnow } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-realtime'

test('SIGTERM closes idle sessions at once, and others when the response that runs is complete and charged', async () => {
  await using upstream = RealtimeUpstream.start()
  await using world = await aProcessWorld({ gateway: { workers: 2 } })
  const { gateway, key, console } = world
  await console.addChannel({ name: 'speech', base_url: upstream.url, models: model })
  await untilAllKnow(gateway, key, [model])
  const gate = Promise.withResolvers<void>()
  using busy = await connectRealtime(gateway.url, { key, model })
  using idle = await connectRealtime(gateway.url, { key, model })
  upstream.next({ gate: gate.promise, usage: { textIn: 100, audioOut: 50 } })
  busy.send({ type: 'response.create' })
  await busy.next('response.output_audio.delta')

  const stopped = gateway.stop()
  expect(await idle.next('error')).toMatchObject({ error: { code: 'gateway.draining' } })
  expect((await idle.closed).code).toBe(1001)
  gate.resolve()
  expect(await busy.next('response.done')).toMatchObject({ response: { status: 'completed' } })
  expect(await busy.next('error')).toMatchObject({ error: { code: 'gateway.draining' } })
  expect((await busy.closed).code).toBe(1001)
  expect(await stopped).toBe(0)
  await using ledger = openLedgerAudit(gateway.dataDir)
  const rows = await ledger.logs()
  // 4 dollars for a million tokens of text, 64 for those that are spoken.
  expect(rows.map(({ quota }) => quota)).toEqual([(100 * 4 + 50 * 64) / 2])
  expect((await ledger.sums()).leased).toBe(0)
})

test('a response that outlasts SHUTDOWN_TIMEOUT is cancelled and charged by what its upstream reports', async () => {
  await using upstream = RealtimeUpstream.start()
  await using world = await aProcessWorld({ gateway: { env: { SHUTDOWN_TIMEOUT: '1' } } })
  const { gateway, key, console } = world
  await console.addChannel({ name: 'speech', base_url: upstream.url, models: model })
  await untilAllKnow(gateway, key, [model])
  using client = await connectRealtime(gateway.url, { key, model })
  upstream.next({ gate: new Promise(() => {}), usage: { textIn: 100, audioOut: 50 } })
  client.send({ type: 'response.create' })
  await client.next('response.output_audio.delta')
  await gateway.stop()
  expect(await client.next('error')).toMatchObject({ error: { code: 'gateway.draining' } })
  expect((await client.closed).code).toBe(1001)
  await using ledger = openLedgerAudit(gateway.dataDir)
  expect((await ledger.logs()).map(({ quota }) => quota)).toEqual([(100 * 4 + 50 * 64) / 2])
})
