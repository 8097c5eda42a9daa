import { operatorEventOf, type OperatorEventKind } from '@tollgate/contract'
import { sql } from 'kysely'
import { z } from 'zod'

import type { Clock } from '../../time/clock'
import { announceChange } from '../../store/changes'
import type { Queries, Transaction } from '../../store/database'

export interface ReportedEvent {
  readonly kind: OperatorEventKind
  /** What it happened to: an id, unique within the kind. */
  readonly subject: string
  readonly facts: EventFacts
}

/**
 * Records an event that operators are notified of, in the transaction of what it reports. A repetition within the pause of its kind is
 * counted, and part of the next notification. One worker notifies within a second of the commit.
 */
export async function reportEvent(
  { clock }: { readonly clock: Clock },
  { kind, subject, facts }: ReportedEvent,
  transaction: Transaction,
): Promise<void> {
  const now = clock.seconds()
  const { pauseSeconds, isState } = operatorEventOf(kind)
  const fresh = { facts: JSON.stringify(facts), last_at: now }
  await transaction
    .insertInto('operator_events')
    .values({ kind, subject, ...fresh, count: 1, first_at: now, due_at: now, notified_at: null })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).doUpdateSet((eb) => ({
        ...fresh,
        count: isState ? 1 : eb('operator_events.count', '+', 1),
        first_at: sql`case when operator_events.due_at is null then ${now} else operator_events.first_at end`,
        due_at: sql`case
          when operator_events.due_at is not null then operator_events.due_at
          when operator_events.notified_at > ${now - pauseSeconds} then operator_events.notified_at + ${pauseSeconds}
          else ${now} end`,
      })),
    )
    .execute()
  await announceChange({ topic: 'event', refId: 0 }, clock.now(), transaction)
}

/** The same for what has no transaction of its own. */
export const reportEventAlone = (
  parts: { readonly clock: Clock; readonly database: { readonly query: Queries } },
  event: ReportedEvent,
): Promise<void> => parts.database.query.transaction().execute((transaction) => reportEvent(parts, event, transaction))

/** The facts of an event: texts, or stored phrases, which are worded for their reader. */
export const EventFacts = z.object({
  /** The name of the channel, job, node, order or user. */
  name: z.string(),
  reason: z.string().optional(),
  /** Spending, formatted: what was spent, and what is usual. */
  spent: z.string().optional(),
  usual: z.string().optional(),
  /** Sales, formatted: what calls were sold for and cost, the margin and its floor. */
  sold: z.string().optional(),
  cost: z.string().optional(),
  margin: z.string().optional(),
  floor: z.string().optional(),
  /** A number with its unit: free space, a balance, a count. */
  amount: z.string().optional(),
  limit: z.string().optional(),
})
export type EventFacts = z.output<typeof EventFacts>
