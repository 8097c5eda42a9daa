import { endedTaskStatuses, hourSeconds } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import { chargeRetentionSeconds } from '../jobs/prune'
import { readRetainedSince } from '../../operations/retention/read-retained-since'
import type { LogStore } from '../../billing/usage-log/log-store'
import type { Queries } from '../../platform/store/database'
import { inheritedQuotaPrefix } from '../../channels/change-channels'
import { bytesOfConversations, bytesOfTurns, lostItems, lostTurnItems } from '../../operations/check-kept'
import { findUnbalanced } from '../../operations/check-records'
import { dimensionNames, dimensions, marginFigures, spans } from '../../billing/analytics/rollups'
import { chargesOfBatches, doneOfBatches, linesOfBatches, piecesOfFiles, runsOfBatches } from './batch-differences'
import { creditDifferences } from './credit-differences'
import { keyDifferences } from './earning-differences'
import { hourlyLogDifferences, logDifferences } from './log-differences'
import { measureDifferences } from './measure-differences'
import { windowDifferences } from './window-differences'
import { earningsPrefix, readImport } from '../../operations/import-note'
import { maxDifferences, type Check, type Difference } from './difference'

interface Row {
  readonly id: number
  readonly found: number
  readonly expected: number
}

/** The clocks of two machines differ by less. */
const clockMargin = hourSeconds

/**
 * Resolves with all inconsistencies. Charges are kept for 30 days and hourly rollups for good: what is older is checked against the
 * rollups only, and an older key can only be found to have used too little. `stored` reads a log that is not in the database alone.
 */
export async function differencesIn(query: Queries, nowSeconds: number, stored?: LogStore): Promise<Difference[]> {
  // What an import brought has no charges: sums and log rows of another gateway.
  const importedAt = (await readImport(query))?.at ?? 0
  const chargesSince = Math.max(nowSeconds - chargeRetentionSeconds + clockMargin, importedAt)
  const sumsSince = await readRetainedSince(query, 'sums')
  const bothSince = Math.max(chargesSince, sumsSince)
  return [
    ...(await findUnbalanced(query, maxDifferences)).map((row): Difference => ({ check: 'user-balance', ...row })),
    ...(await compare(query, 'user-holds', holdsOfTasks)),
    ...(await compare(query, 'user-used-quota', usedByUsers)),
    ...(await compare(query, 'user-request-count', callsOfUsers)),
    ...(await compare(query, 'user-earned', earned)),
    ...(await compare(query, 'user-purse', purses)),
    ...(await compare(query, 'invitee-credit', inviteeCredits)),
    ...(await compare(query, 'code-uses', usesOfCodes)),
    ...(await compare(query, 'code-credit', codeCredits)),
    ...(await compare(query, 'order-credit', creditsOfOrders)),
    ...(await compare(query, 'top-up-credit', topUpCredits)),
    ...(await compare(query, 'order-bonus', bonusesOfOrders)),
    ...(await compare(query, 'commission-credit', commissionCredits)),
    ...(await compare(query, 'expiry-credit', expiryCredits)),
    ...(await compare(query, 'order-documents', documentsOfOrders)),
    ...(await compare(query, 'document-number', documentNumbers)),
    ...(await compare(query, 'plan-paid', paidForPlans)),
    ...(await compare(query, 'plan-used', usedOfPlans)),
    ...(await compare(query, 'batch-run', runsOfBatches)),
    ...(await compare(query, 'batch-lines', linesOfBatches)),
    ...(await compare(query, 'batch-done', doneOfBatches)),
    ...(await compare(query, 'batch-charges', chargesOfBatches(chargesSince))),
    ...(await compare(query, 'file-bytes', piecesOfFiles(nowSeconds))),
    ...(await compare(query, 'turn-bytes', bytesOfTurns)),
    ...(await compare(query, 'conversation-bytes', bytesOfConversations)),
    ...(await compare(query, 'conversation-items', lostItems)),
    ...(await compare(query, 'turn-items', lostTurnItems)),
    ...(await creditDifferences(query, nowSeconds)),
    ...(await tokenDifferences(query, chargesSince)),
    ...(await balanceDifferences(query)),
    ...(await windowDifferences(query)),
    ...(stored
      ? await hourlyLogDifferences(query, stored, { since: chargesSince, now: nowSeconds })
      : await logDifferences(query, chargesSince)),
    ...(await compare(query, 'channel-used-quota', usedByChannels)),
    ...(await hourDifferences(query, Math.ceil(bothSince / hourSeconds) * hourSeconds)),
    ...(await columnDifferences(query, {
      check: 'column-hour',
      table: 'hourly_sums',
      span: spans.hour,
      since: sumsSince,
    })),
    ...(await columnDifferences(query, {
      check: 'column-day',
      table: 'daily_sums',
      span: spans.day,
      since: sumsSince,
    })),
    ...(await keyDifferences(query, sumsSince)),
    ...(await measureDifferences(query, bothSince, stored)),
  ]
}

/** Each select returns rows (id, found, expected), and the sums of both must be equal for each id. */
async function compare(query: Queries, check: Check, parts: RawBuilder<unknown>): Promise<Difference[]> {
  const { rows } = await sql<Row>`select id, sum(found) as found, sum(expected) as expected from (${parts}) as parts
    group by id having sum(found) <> sum(expected) order by id limit ${sql.lit(maxDifferences)}`.execute(query)
  return rows.map((row) => ({ check, ...row }))
}

/** What users paid for plans less what was returned. */
const paidForPlans = sql`select user_id as id, -amount as found, 0 as expected from credits where kind = 'plan'
  union all select user_id, 0, paid from subscriptions`

/** What plans paid for was credited to those who run them. */
const usedOfPlans = sql`select user_id as id, amount as found, 0 as expected from credits where kind = 'plan-use'
  union all select user_id, 0, used from subscriptions`

/** Each task that has not ended has one hold, and no other task has one. */
const holdsOfTasks = sql`select user_id as id, 1 as found, 0 as expected from holds
  union all select user_id, 0, 1 from tasks where status not in (${sql.join(endedTaskStatuses.map((status) => sql.lit(status)))})`

const usedByUsers = sql`select id, used_quota as found, 0 as expected from users
  union all select user_id, 0, quota from rollups
  union all select user_id, 0, quota from removed_sums`

const callsOfUsers = sql`select id, request_count as found, 0 as expected from users
  union all select user_id, 0, count from rollups
  union all select user_id, 0, count from removed_sums`

/** What invitations earned an inviter in total, in the gateway before this one too. */
const earned = sql`select id, aff_history_quota as found, 0 as expected from users
  union all select inviter_id, 0, inviter_quota from invitations where state = 'rewarded'
  union all select users.id, 0, value from users
    join counters on counters.name = ${sql.lit(earningsPrefix)} || users.id`

/** What was earned is unspent, or was moved to the balance. */
const purses = sql`select id, aff_quota as found, aff_history_quota as expected from users
  union all select user_id, amount, 0 from credits where kind = 'invitation' and id like 'invitation-transfer:%'`

const inviteeCredits = sql`select user_id as id, amount as found, 0 as expected from credits
    where kind = 'invitation' and id not like 'invitation-transfer:%'
  union all select invitee_id, 0, invitee_quota from invitations where state = 'rewarded'`

const usesOfCodes = sql`select id, used_count as found, 0 as expected from redemption_codes
  union all select redemption_id, 0, 1 from redemption_uses`

const codeCredits = sql`select user_id as id, amount as found, 0 as expected from credits where kind = 'redemption'
  union all select user_id, 0, quota from redemption_uses`

/** What each order credited: its quota once it is paid, minus what was clawed back; nothing once all the money was refunded. */
const creditsOfOrders = sql`select orders.id, credits.amount as found, 0 as expected from credits
    join orders on orders.number = credits.detail where credits.id like 'order:%'
  union all select id, 0, case when paid_at = 0 or refunded_minor + disputed_minor >= minor then 0 else quota - quota_taken end
    from orders`

/** The same by user, which reveals credits without an order. */
const topUpCredits = sql`select user_id as id, amount as found, 0 as expected from credits
    where kind = 'top-up' or id like 'order:%'
  union all select user_id, 0, quota_credited - quota_taken from orders`

/**
 * What each order credited on top: its bonus once it is paid, minus what was clawed back, nothing once all the money was refunded. One that
 * a user gets once may have come with another order. Credits without an order are those of order 0.
 */
const bonusesOfOrders = sql`select coalesce(orders.id, 0) as id, credits.amount as found, 0 as expected from credits
    left join orders on orders.number = credits.detail and orders.user_id = credits.user_id where credits.kind = 'bonus'
  union all select id, 0, case when paid_at = 0 or refunded_minor + disputed_minor >= minor then 0
      when once_tier > 0 then bonus_credited - bonus_taken else bonus - bonus_taken end from orders`

/** What inviters were credited for top-ups of those they invited. */
const commissionCredits = sql`select user_id as id, amount as found, 0 as expected from credits where kind = 'commission'
  union all select inviter_id, 0, amount - taken from commissions where state = 'settled'`

/** What was taken back of redeemed quota that ended unspent. */
const expiryCredits = sql`select user_id as id, -amount as found, 0 as expected from credits where kind = 'expiry'
  union all select user_id, 0, unspent from expiring_quota where ended_at is not null`

/**
 * The documents of an invoiced order add up to what is left of its payment, in the smallest unit of its currency. A refund whose outcome is
 * not known, and a dispute that is open, have none yet. Documents without an order are those of order 0.
 */
const documentsOfOrders = sql`select coalesce(orders.id, 0) as id, billing_documents.minor as found, 0 as expected from billing_documents
    left join orders on orders.number = order_number where order_number is not null and coalesce(problem, '') <> 'refund'
  union all select id, 0, case when minor > gone then minor - gone else 0 end from (
      select id, number, minor, problem, refunded_minor + case when dispute = 'lost' then disputed_minor else 0 end as gone
      from orders where paid_at > 0
    ) as paid where problem <> 'refund' and number in (select order_number from billing_documents where order_number is not null)`

/** Each number has the one before it, up to the latest that was given out. */
const documentNumbers = sql`select number as id, 1 as found, 0 as expected from billing_documents
  union all select 1, 0, 1 from counters where name = 'documents' and value > 0
  union all select number + 1, 0, 1 from billing_documents
    where number < (select value from counters where name = 'documents')`

/** Deleted channels live on in the rollups only. */
const usedByChannels = sql`select id, used_quota as found, 0 as expected from channels
  union all select channel_id, 0, quota from rollups where channel_id in (select id from channels)
  union all select channel_id, 0, quota from removed_sums where channel_id in (select id from channels)
  union all select channels.id, 0, value from channels
    join counters on counters.name = ${sql.lit(inheritedQuotaPrefix)} || channels.id`

async function tokenDifferences(query: Queries, retainedSince: number): Promise<Difference[]> {
  const { rows } = await sql<Row>`select id, sum(found) as found, sum(expected) as expected from (
      select id, used_quota as found, 0 as expected, created_time as born from tokens
      union all select token_id, 0, quota, 0 from charges where token_id in (select id from tokens)
    ) as parts group by id
    having sum(found) < sum(expected) or (max(born) >= ${retainedSince} and sum(found) <> sum(expected))
    order by id limit ${sql.lit(maxDifferences)}`.execute(query)
  return rows.map((row) => ({ check: 'token-used-quota', ...row }))
}

interface KeyRow extends Omit<Row, 'expected'> {
  /** Null: unknown, or there is no such key. */
  readonly expected: number | null
}

/** Free + leased + held + used is what a key was given, and what it used while it was unlimited. */
async function balanceDifferences(query: Queries): Promise<Difference[]> {
  const { rows } = await sql<KeyRow>`select id, sum(found) as found, max(given) as expected from (
      select id, remain_quota + used_quota as found, granted_quota as given, was_unlimited as more, 1 as rows from tokens
      union all select ref_id, amount, null, 0, 0 from leases where kind = 'token'
      union all select token_id, amount, null, 0, 0 from holds where is_token_limited = 1
    ) as parts group by id having sum(found) < max(given) or (max(more) = 0 and sum(found) > max(given))
      or (sum(rows) = 0 and sum(found) <> 0)
    order by id limit ${sql.lit(maxDifferences)}`.execute(query)
  return rows.map(({ id, found, expected }) => ({ check: 'token-balance', id, found, expected: expected ?? 0 }))
}

interface HourRow {
  readonly hour: number
  readonly id: number
  readonly channel: number
  readonly quota: number
  readonly charged: number
  readonly count: number
  readonly charges: number
}

async function hourDifferences(query: Queries, fromHour: number): Promise<Difference[]> {
  const { rows } = await sql<HourRow>`select hour, id, channel, sum(quota) as quota, sum(charged) as charged,
      sum(calls) as count, sum(charges) as charges from (
      select hour, user_id as id, channel_id as channel, quota, 0 as charged, count as calls, 0 as charges
        from rollups where hour >= ${fromHour}
      union all select created_at - created_at % ${sql.lit(hourSeconds)}, user_id, channel_id, 0, quota, 0, 1
        from charges where created_at >= ${fromHour}
    ) as parts group by hour, id, channel
    having sum(quota) <> sum(charged) or sum(calls) <> sum(charges) order by hour, id, channel
    limit ${sql.lit(maxDifferences)}`.execute(query)
  return rows.flatMap(({ hour, id, channel: channelId, quota, charged, count, charges }) =>
    [
      { check: 'hour-quota', id, hour, channelId, found: quota, expected: charged } as const,
      { check: 'hour-count', id, hour, channelId, found: count, expected: charges } as const,
    ].filter(({ found, expected }) => found !== expected),
  )
}

interface ColumnRow {
  readonly start: number
  readonly found: number
  readonly expected: number
  /** By how much their figures of costs differ, all together. */
  readonly costs: number
}

interface ColumnSums {
  readonly check: Check
  readonly table: 'hourly_sums' | 'daily_sums'
  readonly span: number
  /** Older ones were removed. */
  readonly since: number
}

/**
 * The sums by each column, as far as they go, must be those of the hourly rollups at each value and time. Stale hours, and days with some,
 * wait to be added up again.
 */
async function columnDifferences(query: Queries, { check, table, span, since }: ColumnSums): Promise<Difference[]> {
  const startOf = (hour: string) => sql`${sql.ref(hour)} - ${sql.ref(hour)} % ${sql.lit(span)}`
  const costs = marginFigures.map((name) => sql.ref(name))
  const differ = sql.join(
    costs.map((name) => sql`sum(${name}) <> 0`),
    sql` or `,
  )
  const all: Difference[] = []
  for (const name of dimensionNames) {
    const id = dimensions[name]
    const until = sql`(select until from sum_progress where dimension = ${sql.lit(id)})`
    const { rows } =
      await sql<ColumnRow>`select start, sum(found) as found, sum(expected) as expected, sum(costs) as costs from (
        select start, key, sum(found) as found, sum(expected) as expected, sum(${sql.join(costs, sql` + `)}) as costs from (
          select start, key, quota as found, 0 as expected, count as calls, ${sql.join(costs)} from ${sql.table(table)}
            where dimension = ${sql.lit(id)} and start < ${until} and start >= ${since}
          union all select ${startOf('hour')}, cast(${sql.ref(name)} as text), 0, quota, -count,
              ${sql.join(costs.map((name) => sql`-${name}`))} from rollups
            where hour < ${until} and hour >= ${since}
        ) as parts group by start, key having sum(found) <> sum(expected) or sum(calls) <> 0 or ${differ}
      ) as unequal where start not in (select ${startOf('hour')} from stale_hours)
      group by start order by start`.execute(query)
    all.push(
      ...rows.map(({ start, found, expected, costs: excess }): Difference =>
        found === expected && excess !== 0
          ? { check: 'column-costs', id, hour: start, found: excess, expected: 0 }
          : { check, id, hour: start, found, expected },
      ),
    )
  }
  return all
}
