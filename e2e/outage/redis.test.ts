import { expect, setDefaultTimeout, test } from 'bun:test'

import { openGate, type TcpGate } from '@tollgate/simulator'

import { until } from '../ledger-view'
import { startLoad, type Load } from '../load'
import { aProcessWorld } from '../world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
const model = 'gpt-4o'
/** Timeout of Redis commands. */
const timeoutMs = 250
const callsOfAnOutage = 100
const away = 'limits are counted in memory: Redis does not respond'
const back = 'limits are counted in Redis again'

test.skipIf(redisUrl === '')(
  'three kinds of Redis outage make no call fail or wait twice and are logged once',
  async () => {
    await using gate = await openGate(Number(new URL(redisUrl).port || 6379))
    await using world = await aProcessWorld({
      gateway: { env: { REDIS_URL: `redis://127.0.0.1:${gate.port}`, LOG_LEVEL: 'info' } },
      simulator: { defaults: { tokens: 5, ttftMs: 5 } },
      options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } },
    })
    const key = await world.console.addToken({
      name: 'limited',
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 1_000_000,
      rate_limit_success: 1_000_000,
    })
    const count = (line: string) => world.gateway.output().split(line).length - 1
    const load = startLoad(world.gateway, key, { model, callers: 4 })
    try {
      await load.more(40)
      for (const shut of ['hang', 'refuse', 'forget'] as const) {
        const before = count(away)
        await outage(gate, shut, load)
        const times = await until(
          async () => ({ away: count(away), back: count(back) }),
          (seen) => seen.back > before && seen.back === seen.away,
          30_000,
        )
        expect(times.back).toBe(times.away)
        // A machine that pauses for a moment takes Redis for down as well. What must not happen is a line for each call.
        expect(times.away - before).toBeWithin(1, callsOfAnOutage / 10)
        await load.more(40)
      }
    } finally {
      await load.stop()
    }
    expect(load.seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([])
  },
)

/** During an outage each caller waits for at most one timeout, not for one per call. */
async function outage(gate: TcpGate, shut: 'hang' | 'refuse' | 'forget', load: Load): Promise<void> {
  await gate[shut]()
  const before = load.seen.length
  await load.more(callsOfAnOutage)
  const waited = load.seen.slice(before).filter(({ startedAt, endedAt }) => endedAt - startedAt >= timeoutMs)
  expect(waited.length).toBeLessThan(callsOfAnOutage / 2)
  await gate.open()
}
