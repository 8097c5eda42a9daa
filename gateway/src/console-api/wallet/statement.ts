import { walletRoutes, hourSeconds } from '@tollgate/contract'

import { dayFormatter, monthAfter, startOfDay } from '../../platform/time/calendar'
import type { Context } from '../../context'
import { customerOf, sellerOf } from '../../billing/payments/documents/document-book'
import { readImport, topUpPrefix } from '../../operations/import-note'
import { readRetainedSince } from '../../operations/retention/read-retained-since'

type Deps = Pick<Context, 'database' | 'catalog' | 'clock'>
type Movement = walletRoutes.Movement

/** Charges of a worker that died, and of a machine whose clock differs, arrive by then: a month's statement never changes once it is issued. */
const lateSeconds = hourSeconds

/** Resolves with all that changed a balance in a month of the site's time zone; charges of an hour belong to the day in which it begins. */
export async function statementOf(
  { database, catalog, clock }: Deps,
  userId: number,
  requestedMonth: string | undefined,
): Promise<walletRoutes.Statement> {
  const { SiteTimeZone: timeZone } = catalog.current.options
  const dayOf = dayFormatter(timeZone)
  const now = clock.seconds()
  const month = requestedMonth ?? dayOf(now).slice(0, 7)
  const from = startOfDay(`${month}-01`, timeZone)
  const until = startOfDay(`${monthAfter(month)}-01`, timeZone)
  const book = new Book(database, userId)
  const account = await book.account()
  const opening = (await book.creditedBefore(from)) - (await book.chargedBefore(from))
  const credits = await book.credits(from, until)
  const charges = byDay(await book.charges(from, until), dayOf)
  const credited = sumOf(credits)
  const charged = -sumOf(charges)
  const movements = [...credits.map((credit) => ({ ...credit, day: dayOf(credit.at), calls: 0 })), ...charges]
  return {
    seller: sellerOf(catalog.current.options),
    customer: customerOf(account),
    month,
    first_month: await firstMonth(database, account.created_at, dayOf),
    time_zone: timeZone,
    is_over: now >= until + lateSeconds,
    opening,
    credited,
    charged,
    closing: opening + credited - charged,
    movements: movements.toSorted((one, other) => other.at - one.at),
  }
}

/** Returns the first month whose charges can be listed: earlier sums of usage may have been removed. */
async function firstMonth(
  { query }: Deps['database'],
  createdAt: number,
  dayOf: (seconds: number) => string,
): Promise<string> {
  const since = await readRetainedSince(query, 'sums')
  const first = dayOf(createdAt).slice(0, 7)
  const whole = since === 0 ? first : monthAfter(dayOf(since - 1).slice(0, 7))
  // Of the time before, an import knows what was used in total.
  const imported = await readImport(query)
  const known = imported && createdAt < imported.at ? dayOf(imported.logsFrom ?? imported.at).slice(0, 7) : first
  return [first, whole, known].toSorted().at(-1) ?? first
}

const sumOf = (movements: readonly Pick<Movement, 'amount'>[]) => movements.reduce((sum, { amount }) => sum + amount, 0)

interface ChargedHour {
  readonly hour: number
  readonly quota: number
  readonly calls: number
}

function byDay(hours: readonly ChargedHour[], dayOf: (seconds: number) => string): Movement[] {
  const days = new Map<string, Movement>()
  for (const { hour, quota, calls } of hours) {
    const day = dayOf(hour)
    const sum = days.get(day) ?? { day, at: hour, kind: 'charges', amount: 0, calls: 0, trade_no: '', plan: '' }
    days.set(day, { ...sum, amount: sum.amount - quota, calls: sum.calls + calls })
  }
  return [...days.values()].filter(({ amount }) => amount !== 0)
}

const kinds: ReadonlySet<string> = new Set(walletRoutes.movementKinds)
const isKind = (kind: string): kind is walletRoutes.MovementKind => kinds.has(kind)

/** A kind of a later release counts as an administrator's change. */
const movementKindOf = (kind: string): walletRoutes.MovementKind => (isKind(kind) ? kind : 'admin')

/** Credits whose detail is the number of an order. */
const ofOrders: ReadonlySet<walletRoutes.MovementKind> = new Set(['top-up', 'bonus', 'refund'])

/** The ledger data of one user. */
class Book {
  constructor(
    readonly database: Deps['database'],
    readonly userId: number,
  ) {}

  account() {
    const users = this.database.query.selectFrom('users').where('id', '=', this.userId)
    return users.select(['username', 'display_name', 'setting', 'created_at']).executeTakeFirstOrThrow()
  }

  async creditedBefore(time: number): Promise<number> {
    const { sum } = await this.database.query
      .selectFrom('credits')
      .select((eb) => eb.fn.sum<number | null>('amount').as('sum'))
      .where('user_id', '=', this.userId)
      .where('created_at', '<', time)
      .executeTakeFirstOrThrow()
    return sum ?? 0
  }

  async chargedBefore(time: number): Promise<number> {
    const { sum } = await this.database.query
      .selectFrom('rollups')
      .select((eb) => eb.fn.sum<number | null>('quota').as('sum'))
      .where('user_id', '=', this.userId)
      .where('hour', '<', time)
      .executeTakeFirstOrThrow()
    const { removed } = await this.database.query
      .selectFrom('removed_sums')
      .select((eb) => eb.fn.sum<number | null>('quota').as('removed'))
      .where('user_id', '=', this.userId)
      .executeTakeFirstOrThrow()
    return (sum ?? 0) + (removed ?? 0)
  }

  async credits(from: number, until: number) {
    const rows = await this.database.query
      .selectFrom('credits')
      .select(['id', 'kind', 'amount', 'created_at as at', 'detail'])
      .where('user_id', '=', this.userId)
      .where('created_at', '>=', from)
      .where('created_at', '<', until)
      .execute()
    return rows.map(({ id, detail, ...row }) => {
      const kind = movementKindOf(row.kind)
      const isOfOrder = ofOrders.has(kind) || id.startsWith(topUpPrefix)
      return { ...row, kind, trade_no: isOfOrder ? detail : '', plan: kind === 'plan' ? detail : '' }
    })
  }

  charges(from: number, until: number): Promise<ChargedHour[]> {
    return this.database.query
      .selectFrom('rollups')
      .select(['hour', (eb) => eb.fn.sum<number>('quota').as('quota'), (eb) => eb.fn.sum<number>('count').as('calls')])
      .where('user_id', '=', this.userId)
      .where('hour', '>=', from)
      .where('hour', '<', until)
      .groupBy('hour')
      .orderBy('hour')
      .execute()
  }
}
