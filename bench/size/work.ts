import { channelRoutes, logRoutes, tokenRoutes } from '@tollgate/contract'
import { startFixedUpstream } from '@tollgate/simulator'

import { logPartitions } from '../../gateway/src/operations/retention/log-partitions'
import type { Database } from '../../gateway/src/platform/store/database'
import { load } from '../load'
import { benchModel } from '../profiles'
import { requestTo } from '../requests'
import { isDone, leaveWork, untilDone, type Backlog } from './backlog'
import type { Site } from './site'

/** How the calls of one phase went. */
export interface Phase {
  /** What happened beside them. */
  readonly concurrent: string
  /** Milliseconds, the shortest first. */
  readonly latencies: Float64Array
  readonly failures: number
}

/** Most connections rest at any moment, so that a time in which nothing is answered is met by many calls, not by a few. */
const connections = 100
const pauseMs = 250
const phaseMs = 4000
const warmUpMs = 3000
const rounds = 6
const maxCalls = 1_000_000

/**
 * Call models while the site catches up with hourly sums and old marks of charges, while its oldest log rows are deleted, and
 * while nothing else happens. The rows are deleted indeed. `open` starts the gateway, which begins with what is left to do.
 */
export async function measureWork(backlog: Backlog, open: () => Promise<Site>): Promise<Phase[]> {
  await leaveWork(backlog)
  const site = await open()
  try {
    await using stand = await openStand(site)
    await stand.call('warm-up', warmUpMs)
    const all: Phase[] = []
    for (let round = 0; round < rounds; round += 1) all.push(await stand.call('sums and retention', phaseMs))
    console.log(`sums and retention ${(await isDone(backlog)) ? 'were done' : 'went on'} meanwhile`)
    await untilDone(backlog)
    for (let round = 0; round < rounds; round += 1) {
      all.push(await stand.call('nothing else', phaseMs))
      const deletion = deleteLogs(site, await backlog.oldestPart())
      all.push(await stand.call('deletion', phaseMs))
      await deletion
    }
    return all
  } finally {
    await site.gateway.stop()
  }
}

/** Calls models while the oldest month of the log is dropped, and while nothing else happens. Its rows are gone then. */
export async function measureMonth(database: Database, open: () => Promise<Site>): Promise<Phase[]> {
  const [month] = await logPartitions(database.query)
  if (!month) throw new Error('The log has no months: name a PostgreSQL')
  const site = await open()
  try {
    await using stand = await openStand(site)
    await stand.call('warm-up', warmUpMs)
    const before = await stand.call('nothing else', phaseMs)
    const deletion = deleteLogs(site, month.to)
    const during = await stand.call(`the end of ${month.name}`, phaseMs)
    await deletion
    return [before, during]
  } finally {
    await site.gateway.stop()
  }
}

/** Longer than the phase: where there are calls, rows go slowly. */
async function deleteLogs({ admin }: Site, before: number): Promise<void> {
  const began = performance.now()
  const deleted = await admin.call(logRoutes.deleteLogs, { query: { target_timestamp: before } })
  console.log(`${deleted} rows were deleted in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** A channel to an upstream that answers at once, and a key. */
async function openStand({ admin, gateway }: Site) {
  const upstream = startFixedUpstream({ tokens: 40 })
  const channelId = await admin.addChannel({
    name: 'bench',
    type: 8,
    base_url: `${upstream.url}/v1/chat/completions`,
    models: benchModel,
    group: 'default,vip,svip',
  })
  const token = await admin.call(tokenRoutes.createToken, {
    body: { name: 'bench', unlimited_quota: true, expired_time: -1 },
  })
  const target = { name: 'site', port: gateway.port, key: `sk-${token.key}`, translates: true }
  const request = requestTo(
    { ...target, processIds: () => [], stop: async () => {} },
    { dialect: 'openai-chat', isStream: false },
  )
  return {
    async call(concurrent: string, milliseconds: number): Promise<Phase> {
      const each = { port: gateway.port, connections: 1, request, milliseconds, maxCalls, pauseMs }
      const results = await Promise.all(
        Array.from({ length: connections }, async (_, index) => {
          // Evenly apart, and not all at once.
          await Bun.sleep((pauseMs / connections) * index)
          return load(each)
        }),
      )
      const latencies = sorted(results)
      const failures = results.reduce((sum, result) => sum + result.failures, 0)
      return { concurrent, latencies, failures }
    },
    async [Symbol.asyncDispose]() {
      await admin.call(tokenRoutes.deleteToken, { params: { id: token.id } })
      await admin.call(channelRoutes.deleteChannel, { params: { id: channelId } })
      await upstream.stop()
    },
  }
}

/** The latencies of several loads or phases, the shortest first. */
export const sorted = (results: readonly Pick<Phase, 'latencies'>[]): Float64Array =>
  Float64Array.from(results.flatMap(({ latencies }) => [...latencies])).sort()
