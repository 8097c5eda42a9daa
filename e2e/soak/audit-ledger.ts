import { logType } from '@tollgate/contract'

import { reconcile } from '../../gateway/src/app/commands/reconcile'
import type { Queries } from '../ledger-audit'
import type { Arena } from './arena'
import type { Problem } from './problem'

/** Checks the books since the beginning, by our own queries and then by `tollgate reconcile`. */
export async function auditLedger(arena: Arena, queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { kind, what, query } of questions) {
    const rows = await queries.rows<Record<string, unknown>>(query)
    for (const row of rows.slice(0, maxReported)) problems.push({ kind, what: `${what}: ${JSON.stringify(row)}` })
  }
  return [...problems, ...(await runReconcile(arena))]
}

const maxReported = 5

interface Question {
  readonly kind: Problem['kind']
  readonly what: string
  /** Each row it returns is a problem. */
  readonly query: string
}

const { consumption: consumed } = logType
const sum = (what: string, from: string) => `(select coalesce(sum(${what}), 0) from ${from})`
/** A row of calls that were refused before any attempt counts in no hour. */
const isRefused = `(type = ${logType.error} and other like '%"refused_calls":%')`
const rollupKey = ['user_id', 'token_name', 'model_name', 'channel_id', '"group"'].join(', ')
const rollupSums = ['calls', 'errors', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time']

const questions: readonly Question[] = [
  {
    kind: 'doubled',
    what: 'calls logged twice',
    query: `select request_id, count(*) as times from logs where type = ${consumed} group by request_id having count(*) > 1`,
  },
  {
    kind: 'lost',
    what: 'log rows without their charge',
    query: `select l.request_id, l.quota from logs l left join charges c on c.request_id = l.request_id
      where l.type = ${consumed} and (c.request_id is null or c.quota <> l.quota)`,
  },
  {
    kind: 'counters',
    what: 'charges without a log row',
    query: `select c.request_id from charges c left join logs l on l.request_id = c.request_id and l.type = ${consumed}
      where l.request_id is null`,
  },
  {
    kind: 'lost',
    what: 'free + leased + held + used is not credited',
    query: `select id, quota, used_quota from users where quota + used_quota
      + ${sum('amount', `leases where kind = 'user' and ref_id = users.id`)} + ${sum('amount', 'holds where user_id = users.id')}
      <> ${sum('amount', 'credits where user_id = users.id')}`,
  },
  {
    kind: 'overspend',
    what: 'below zero',
    query: `select 'user' as who, id, quota as free from users where quota < 0
      union all select 'token', id, remain_quota from tokens where unlimited_quota = 0 and remain_quota < 0`,
  },
  {
    kind: 'counters',
    what: 'a user does not equal the charges',
    query: `select id, used_quota, request_count from users where used_quota <> ${sum('quota', 'charges where user_id = users.id')}
      or request_count <> (select count(*) from charges where user_id = users.id)`,
  },
  ...(['token', 'channel'] as const).map((subject): Question => ({
    kind: 'counters',
    what: `a ${subject} does not equal the charges`,
    query: `select id, used_quota from ${subject}s where used_quota <> ${sum('quota', `charges where ${subject}_id = ${subject}s.id`)}`,
  })),
  {
    kind: 'counters',
    what: 'an hourly sum does not equal the log',
    query: `select hour, ${rollupKey}, ${rollupSums.map((name) => `sum(${name}) as ${name}`).join(', ')} from (
        select hour, ${rollupKey}, count as calls, errors, quota, prompt_tokens, completion_tokens, use_time from rollups
        union all select created_at - created_at % 3600, ${rollupKey}, -(case type when ${consumed} then 1 else 0 end),
          -(case type when ${logType.error} then 1 else 0 end), -quota,
          case type when ${consumed} then -prompt_tokens else 0 end, case type when ${consumed} then -completion_tokens else 0 end,
          case type when ${consumed} then -use_time else 0 end from logs where type in (${consumed}, ${logType.error}) and not ${isRefused}
      ) as parts group by hour, ${rollupKey} having ${rollupSums.map((name) => `sum(${name}) <> 0`).join(' or ')}`,
  },
  { kind: 'leases', what: 'a lease was left', query: 'select id, amount from leases' },
]

async function runReconcile({ gateways: [first], databaseUrl }: Arena): Promise<Problem[]> {
  const lines: string[] = []
  const code = await reconcile.run([], {
    environment: { DATA_DIR: first.options.dataDir, DATABASE_URL: databaseUrl },
    print: (line) => lines.push(line),
  })
  return code === 0 ? [] : [{ kind: 'counters', what: `tollgate reconcile: ${lines.join('; ')}` }]
}
