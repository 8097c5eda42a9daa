import { logType } from '@tollgate/contract'

import type { Queries } from '../ledger-audit'
import type { Arena } from './arena'
import type { Fault } from './fault'
import type { CallOutcome } from './call-outcome'
import { endTasks } from './end-tasks'
import { auditLedger } from './audit-ledger'
import { auditCalls, type ChargedCall } from './audit-calls'
import { auditBatches, endedBatches } from './audit-batches'
import { endedTasks, auditTasks } from './audit-tasks'
import { submitBatchesUntil } from './batch-traffic'
import type { Problem } from './problem'
import { randomOf, type Random } from './random'
import { heal, waitUntilSettled } from './settle'
import { auditJournals } from './tampering'
import { submitUntil } from './task-traffic'
import { callUntil, type Traffic } from './traffic'

export interface RoundResult {
  readonly number: number
  /** Repeats the round when used as the seed of a run of one round. */
  readonly seed: number
  readonly faults: readonly string[]
  readonly calls: number
  readonly complete: number
  readonly charged: number
  /** Tasks that were recorded, and those that were charged. */
  readonly tasks: number
  readonly tasksCharged: number
  /** Processes that were killed. */
  readonly kills: number
  /** The time within which 99 of 100 complete calls of wealthy callers ended, in milliseconds. */
  readonly p99Ms: number
  readonly seconds: number
  /** Seconds from the end of the traffic until everything had settled. */
  readonly settleSeconds: number
  readonly problems: readonly Problem[]
}

export interface RoundOptions {
  readonly number: number
  readonly seed: number
  readonly faults: readonly Fault[]
}

const clients = 16
const limits = { faults: 3, trafficMs: 2200 }
const min = { trafficMs: 900 }

/** Runs traffic while faults occur, then repairs everything and compares every figure. */
export async function playRound(arena: Arena, { number, seed, faults }: RoundOptions): Promise<RoundResult> {
  const random = randomOf(seed)
  const beganAt = performance.now()
  const chosen = random.some(faults, random.between(1, limits.faults))
  const played = await injectFaults(arena, chosen, random, seed).catch(brokenOff)
  const seconds = (performance.now() - beganAt) / 1000
  return { number, seed, faults: chosen.map(({ name }) => name), seconds, ...played }
}

type Played = Omit<RoundResult, 'number' | 'seed' | 'faults' | 'seconds'>

/** The repair failed: nothing could be compared. */
const brokenOff = (error: unknown): Played => ({
  calls: 0,
  complete: 0,
  p99Ms: 0,
  charged: 0,
  tasks: 0,
  tasksCharged: 0,
  kills: 0,
  settleSeconds: 0,
  problems: [{ kind: 'other', what: String(error) }],
})

async function injectFaults(arena: Arena, faults: readonly Fault[], random: Random, seed: number): Promise<Played> {
  await using queries = arena.queries()
  await arena.site.refill(random)
  const before = await stateOf(queries)

  const killsBefore = killsIn(arena)
  const common = {
    name: `${seed}`,
    urls: [arena.gateways[0].url, ...arena.gateways.slice(1).map(({ url }) => url)],
    payers: arena.site.payers,
  } as const
  const traffic = Promise.withResolvers<unknown>()
  const submitting = submitUntil({
    ...common,
    random: randomOf(seed),
    until: traffic.promise,
    seal: arena.seal,
    queries,
  })
  const batching = submitBatchesUntil({ ...common, random: randomOf(seed + 1), until: traffic.promise })
  const calls = await callUntil({
    ...common,
    clients,
    random,
    until: (running) => strikeAll({ arena, faults, random, traffic: running }),
  }).finally(() => traffic.resolve(undefined))
  const submitted = await submitting
  const batches = await batching
  const trafficEndedAt = performance.now()
  await heal(arena)
  const openTasks = await endTasks(arena, queries)
  const inFlight = [...openTasks, ...(await waitUntilSettled(arena, queries))]
  const settledAt = performance.now()
  const charged = await chargedSince(queries, before.lastLog)
  const tasks = await endedTasks(queries, `${seed}`)
  const problems = [
    ...inFlight.map((what): Problem => ({ kind: what.includes('leases') ? 'leases' : 'other', what })),
    ...auditCalls({ calls, served: await arena.upstream.takeServed(), charged }),
    ...auditTasks(submitted, tasks),
    ...auditBatches(batches, await endedBatches(queries)),
    ...keyProblems(before, await stateOf(queries)),
    ...auditJournals(arena.gateways),
    ...(await auditLedger(arena, queries)),
  ]
  return {
    calls: calls.length,
    complete: calls.filter(({ isComplete }) => isComplete).length,
    p99Ms: p99Of(calls.filter(({ isComplete, payer }) => isComplete && arena.site.wealthy.includes(payer))),
    charged: charged.length,
    tasks: tasks.length,
    tasksCharged: tasks.filter(({ charges }) => charges > 0).length,
    kills: killsIn(arena) - killsBefore,
    settleSeconds: (settledAt - trafficEndedAt) / 1000,
    problems,
  }
}

/** Responses of sessions have no time of their own. */
function p99Of(calls: readonly CallOutcome[]): number {
  const times = calls.flatMap(({ ms }) => (ms > 0 ? [ms] : []))
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}

const killsIn = ({ gateways }: Arena): number => gateways.reduce((sum, { kills }) => sum + kills, 0)

interface Strikes {
  readonly arena: Arena
  readonly faults: readonly Fault[]
  readonly random: Random
  readonly traffic: Traffic
}

/** Strikes each fault at a time of its own. Resolves when the traffic may end: its time is over and everything is repaired. */
async function strikeAll({ arena, faults, random, traffic }: Strikes): Promise<void> {
  const trafficMs = random.between(min.trafficMs, limits.trafficMs)
  const strikes = faults.map(async (fault) => {
    const own = randomOf(random.between(0, 2 ** 31))
    await Bun.sleep(own.between(100, min.trafficMs - 100))
    await fault.strike(own, traffic)
  })
  await Promise.all([Bun.sleep(trafficMs), ...strikes])
  // Calls that no gateway can serve any more must not delay the end of the round.
  await heal(arena)
}

interface State {
  readonly lastLog: number
  /** Free, leased, held and used quota of the keys with a balance of their own. */
  readonly keys: readonly { readonly id: number; readonly total: number }[]
}

async function stateOf(queries: Queries): Promise<State> {
  const [last] = await queries.rows<{ id: number }>(
    'select cast(coalesce(max(id), 0) as double precision) as id from logs',
  )
  const keys = await queries.rows<State['keys'][number]>(`select cast(id as double precision) as id,
    cast(remain_quota + used_quota + (select coalesce(sum(amount), 0) from leases where kind = 'token' and ref_id = tokens.id)
      + (select coalesce(sum(amount), 0) from holds where token_id = tokens.id and is_token_limited = 1)
      as double precision) as total from tokens where unlimited_quota = 0 order by id`)
  return { lastLog: last?.id ?? 0, keys }
}

/** Checks that no key gained quota within a round. */
function keyProblems(before: State, after: State): Problem[] {
  return after.keys.flatMap(({ id, total }) => {
    const expected = before.keys.find((key) => key.id === id)?.total
    if (total === expected) return []
    return [{ kind: 'lost' as const, what: `token ${id}: free + leased + used is ${total}, was ${expected}` }]
  })
}

const chargedSince = (queries: Queries, lastLog: number): Promise<ChargedCall[]> =>
  queries.rows<ChargedCall>(`select l.request_id, l.model_name,
      ${['user_id', 'token_id', 'prompt_tokens', 'completion_tokens', 'quota'].map((name) => asNumber(`l.${name}`, name)).join(', ')},
      ${asNumber('coalesce(c.quota, -1)', 'charged')},
      ${asNumber("case when l.other like '%estimated%' then 1 else 0 end", 'is_estimated')},
      ${asNumber(`case when l.other like '%"ending":"out-of-quota"%' then 1 else 0 end`, 'is_cut')}
    from logs l left join charges c on c.request_id = l.request_id
    where l.type = ${logType.consumption} and l.id > ${lastLog}
      and l.request_id not like 'msgbatch_%' and l.request_id not like 'batch_%'
      and not exists (select 1 from tasks where public_id = l.request_id)`)

const asNumber = (expression: string, name: string) => `cast(${expression} as double precision) as ${name}`
