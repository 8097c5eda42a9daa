import { expect, setDefaultTimeout, test } from 'bun:test'

import { logType } from '@tollgate/contract'

import { eventually } from '../../test/eventually'
import { recordStatements } from '../../test/record-statements'
import { createRelayWorld } from '../../test/relay-world'
import { createClock, type Clock } from '../platform/time/clock'
import { systemTimers, type Timers } from '../platform/time/timers'

setDefaultTimeout(60_000)

const calls = 20

const messages = [{ role: 'user', content: 'hello' }]

interface Counts {
  reads: number
  timers: number
}

function countedTime(): { counts: Counts; time: { clock: Clock; timers: Timers } } {
  const counts = { reads: 0, timers: 0 }
  const read = (milliseconds: number) => {
    counts.reads += 1
    return milliseconds
  }
  return {
    counts,
    time: {
      clock: createClock(
        () => read(Date.now()),
        () => read(performance.now()),
      ),
      timers: {
        ...systemTimers,
        after: (ms, work) => {
          counts.timers += 1
          return systemTimers.after(ms, work)
        },
        every: (ms, work) => {
          counts.timers += 1
          return systemTimers.every(ms, work)
        },
      },
    },
  }
}

/** Whole responses and streams, passed through and translated. */
test.each([
  ['/v1/chat/completions', {}, { reads: 19, timers: 0 }],
  ['/v1/chat/completions', { stream: true }, { reads: 21, timers: 2 }],
  ['/v1/messages', { max_tokens: 9 }, { reads: 21, timers: 0 }],
  ['/v1/messages', { max_tokens: 9, stream: true }, { reads: 23, timers: 2 }],
])('a call of %s with %j reads the clock and starts timers at most %j times', async (path, options, max) => {
  const { counts, time } = countedTime()
  await using world = await createRelayWorld({ time })
  const call = async () => {
    const response = await world.post(path, { model: 'gpt-4o', messages, ...options })
    await response.text()
    expect(response.status).toBe(200)
  }
  const awaitCharges = (count: number) =>
    eventually(async () => {
      const rows = (await world.logs()).filter(({ type }) => type === logType.consumption)
      return rows.length >= count ? rows : null
    })
  // What the first call alone does, such as opening a connection, is left out.
  await call()
  await awaitCharges(1)
  const before = { ...counts }
  for (let done = 0; done < calls; done += 1) await call()
  await awaitCharges(calls + 1)
  expect((counts.reads - before.reads) / calls).toBeLessThanOrEqual(max.reads)
  expect((counts.timers - before.timers) / calls).toBeLessThanOrEqual(max.timers)
})

/** What workers read every few hundred milliseconds, calls or not, and what the tests below read. */
const periodic = /^select .* from "(?:changes|leases|logs)" /
/** With the sums of upstream keys, which are written like those of the hour. */
const maxBatchStatements = 12

test.each([{}, { stream: true }])(
  'a call with %j issues no statement but those of its charge, which are few and in one transaction',
  async (options) => {
    await using world = await createRelayWorld()
    const call = async (count: number) => {
      await (await world.chat(options)).text()
      await eventually(async () => {
        const rows = (await world.logs()).filter(({ type }) => type === logType.consumption)
        return rows.length >= count || null
      })
    }
    // The first call takes a lease.
    await call(1)
    const groups = recordStatements(world.ctx.database)
    for (let done = 0; done < calls; done += 1) await call(done + 2)
    const [batches, others] = [true, false].map((isBatch) =>
      groups.filter((group) => group.some((sql) => sql.startsWith('insert into "charges"')) === isBatch),
    )
    expect(batches).toHaveLength(calls)
    for (const batch of batches ?? []) expect(batch.length).toBeLessThanOrEqual(maxBatchStatements)
    expect(others?.flat().filter((sql) => !periodic.test(sql))).toEqual([])
  },
)
