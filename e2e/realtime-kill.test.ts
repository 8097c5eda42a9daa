import { expect, setDefaultTimeout, test } from 'bun:test'

import { RealtimeUpstream } from '@tollgate/simulator'

import { connectRealtime } from '../gateway/test/realtime-client'
import { openLedgerAudit } from './ledger-audit'
import { quotaByTokens } from './formula'
import { startGateway } from './gateway'
import { until } from './ledger-view'
import { aProcessWorld, untilAllKnow } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-realtime'
const usage = { textIn: 100, audioIn: 50, textOut: 20, audioOut: 200 }
const quota = quotaByTokens(
  { model: 2, completion: 4, audio: 8, audioCompletion: 2 },
  { prompt: 150, audio: 50, completion: 220, audioOut: 200 },
)
const sessions = 8
const enough = 120

test('kill -9 in the midst of sessions loses no response that a client saw done, and doubles none', async () => {
  await using upstream = RealtimeUpstream.start()
  await using world = await aProcessWorld({ gateway: { workers: 2 } })
  const { gateway, key, console } = world
  await console.addChannel({ name: 'speech', base_url: upstream.url, models: model })
  await untilAllKnow(gateway, key, [model])

  let done = 0
  const strike = Promise.withResolvers<void>()
  const conversation = async () => {
    using client = await connectRealtime(gateway.url, { key, model })
    for (;;) {
      upstream.next({ usage, audio: 1 })
      await client.respond()
      done += 1
      if (done >= enough) strike.resolve()
    }
  }
  const conversations = Array.from({ length: sessions }, () => conversation().catch((error: unknown) => error))
  await strike.promise
  await gateway.kill()
  await Promise.all(conversations)

  await using again = await startGateway({ dataDir: gateway.dataDir, port: gateway.port })
  await using ledgerAudit = openLedgerAudit(gateway.dataDir)
  await until(
    async () => (await ledgerAudit.sums()).leased,
    (leased) => leased === 0,
  )
  expect(await again.stop()).toBe(0)
  const rows = await ledgerAudit.logs()
  expect(rows.length).toBeWithin(done, upstream.served.length + 1)
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(rows.length)
  expect(new Set(rows.map((row) => row.quota))).toEqual(new Set([quota]))
  const { free, leased, used, credited, charged } = await ledgerAudit.sums()
  expect([leased, used, charged]).toEqual([0, rows.length * quota, rows.length * quota])
  expect(free + used).toBe(credited)
})
