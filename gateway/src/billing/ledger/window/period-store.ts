import type { Database, Transaction } from '../../../platform/store/database'
import { capacityOf, type LimitWindow } from './limit-window'
import { periodAt, type Span } from './schedule'

/** A period of a window in the database: the account that leases are taken from. */
export interface Period extends Span {
  readonly id: number
}

/** Resolves with the period of a window at a time, which begins with the first that asks; null where the window is not in force, or gone. */
export const openPeriod = (database: Database, window: LimitWindow, now: number): Promise<Period | null> =>
  database.query.transaction().execute((transaction) => openPeriodIn(database, transaction, window, now))

/** Does the same within a transaction. */
export async function openPeriodIn(
  { kind }: Pick<Database, 'kind'>,
  transaction: Transaction,
  { id, subjectId, schedule }: LimitWindow,
  now: number,
): Promise<Period | null> {
  const span = periodAt(schedule, now)
  if (!span) return null
  // Locked, so that two workers do not begin a period twice.
  const settings = await transaction
    .selectFrom('windows')
    .select(['limit_amount', 'grace_percent'])
    .where('id', '=', id)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!settings) return null
  const known = await findPeriod(transaction, { id, subjectId }, schedule.isSliding ? { openAt: now } : span)
  // The row of a limit of an earlier term has an end; a worker that does not know of the next term yet goes on with it.
  if (known) return schedule.isSliding ? known : { id: known.id, ...span }
  const capacity = capacityOf(settings.limit_amount, settings.grace_percent)
  const { id: periodId } = await transaction
    .insertInto('window_periods')
    .values({
      window_id: id,
      subject_id: subjectId,
      starts_at: span.startsAt,
      ends_at: span.endsAt,
      capacity,
      free: capacity,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: periodId, ...span }
}

type Looked = Pick<Span, 'startsAt'> | { readonly openAt: number }

async function findPeriod(
  transaction: Transaction,
  { id, subjectId }: Pick<LimitWindow, 'id' | 'subjectId'>,
  looked: Looked,
): Promise<Period | null> {
  const found = transaction
    .selectFrom('window_periods')
    .select(['id', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where('window_id', '=', id)
    .where('subject_id', '=', subjectId)
  const row = await (
    'openAt' in looked ? found.where('ends_at', '>', looked.openAt) : found.where('starts_at', '=', looked.startsAt)
  )
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
