import { shownQuota } from '../../billing/ledger/quota-text'
import { readSumProgress, spans } from '../../billing/analytics/rollups'
import { sumsByKey } from '../../billing/analytics/query'
import type { Context } from '../../context'
import { reportEvent } from '../../platform/telemetry/events/report-event'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database'>

/** The days before the last one, of which the mean is what a user usually spends. */
const usualDays = 14
/** An account that is younger has no past to compare with. */
const youngestDays = 7
const maxUsers = 1000

/**
 * Reports each user who spent much in the last 24 hours, and a multiple of the daily mean of the two weeks before. A user who spent
 * nothing in that time is one as well: a forgotten key may have been found.
 */
export async function reportUnusualSpending(parts: Deps): Promise<void> {
  const { UnusualSpendingFactor: factor, UnusualSpendingMinimum: minimum } = parts.catalog.current.options
  const progress = await readSumProgress(parts.database.query)
  const hour = Math.floor(parts.clock.seconds() / spans.hour) * spans.hour
  // The hour that is not over yet, and the 23 before it.
  const lately = { from: hour - 23 * spans.hour, before: hour + spans.hour }
  const column = 'user_id'
  const spent = await sumsByKey(progress, { filter: {}, hours: lately, column })
  const large = [...spent].filter(([, { quota }]) => quota >= minimum).slice(0, maxUsers)
  if (large.length === 0) return
  const before = { from: lately.from - usualDays * spans.day, before: lately.from }
  const past = await sumsByKey(progress, { filter: {}, hours: before, column, keys: large.map(([id]) => id) })
  const usual = (id: string) => (past.get(id)?.quota ?? 0) / usualDays
  const unusual = large.filter(([id, { quota }]) => quota > factor * usual(id))
  const names = await grownUsers(
    parts,
    unusual.map(([id]) => Number(id)),
  )
  for (const [id, { quota }] of unusual) {
    const name = names.get(Number(id))
    if (name !== undefined) await report(parts, { id, name, spent: quota, usual: usual(id) })
  }
}

/** Resolves with the names of users whose accounts are old enough. */
async function grownUsers({ database, clock }: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', ids)
    .where('created_at', '<', clock.seconds() - youngestDays * spans.day)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

interface Spending {
  readonly id: string
  readonly name: string
  readonly spent: number
  readonly usual: number
}

async function report(parts: Deps, { id, name, spent, usual }: Spending): Promise<void> {
  const { options } = parts.catalog.current
  const facts = { name, spent: shownQuota(spent, options), usual: shownQuota(Math.round(usual), options) }
  await parts.database.query
    .transaction()
    .execute((transaction) => reportEvent(parts, { kind: 'unusual-spending', subject: id, facts }, transaction))
}
