import { z } from 'zod'

import type { Database, Queries, Transaction } from '../../../platform/store/database'
import { readNote, writeFirstNote, writeNotes } from '../../../platform/store/site-notes'

/**
 * Rows leave the database for ClickHouse in numbered shipments. A row is in the database until its shipment has ended: then, in one
 * transaction, its rows are removed there and its number is open no more. So the rows of the log are those of the database and those in ClickHouse whose
 * number was given out and is not open, each once, whatever was committed late, sent twice or sent in part.
 */
export interface Shipments {
  /** Identifies the site, the owner of the table in ClickHouse. */
  readonly site: string
  /** The highest number that was given out; 0: none. */
  readonly last: number
  /** How many have ended. */
  readonly ended: number
  /** Numbers that are under way or broke off: what ClickHouse has of them does not count. */
  readonly open: readonly OpenNumbers[]
}

export interface OpenNumbers {
  readonly from: number
  /** Inclusive. */
  readonly to: number
  /** When they were given out, in Unix seconds. */
  readonly at: number
  /** What broke off is given up first, so that it cannot end any more, and then its rows are removed from ClickHouse. */
  readonly state: 'under-way' | 'given-up' | 'cleared'
}

const Note = z.object({
  site: z.string(),
  last: z.number(),
  ended: z.number(),
  open: z.array(
    z.object({ from: z.number(), to: z.number(), at: z.number(), state: z.enum(['under-way', 'given-up', 'cleared']) }),
  ),
})

const note = 'log-shipments'

/** Resolves with null before the first shipment. */
export const readShipments = (query: Queries): Promise<Shipments | null> => readNote<Shipments>(query, note, Note)

/** Resolves with the time (seconds) of the first row that waits to be shipped; null: none does. */
export async function oldestWaiting(query: Queries): Promise<number | null> {
  const row = await query
    .selectFrom('logs')
    .select('created_at')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

type Change<Result> = (
  shipments: Shipments,
  transaction: Transaction,
) => Promise<{ readonly next: Shipments; readonly result: Result }>

/** Changes the shipments in a transaction in which no one else can. */
export async function changeShipments<Result>(
  { kind, query }: Pick<Database, 'kind' | 'query'>,
  { site, nowMs }: { readonly site: string; readonly nowMs: number },
  change: Change<Result>,
): Promise<Result> {
  const initial: Shipments = { site, last: 0, ended: 0, open: [] }
  await writeFirstNote(query, { name: note, value: initial }, nowMs)
  return query.transaction().execute(async (transaction) => {
    if (kind === 'postgres')
      await transaction.selectFrom('site_notes').select('name').where('name', '=', note).forUpdate().execute()
    const { next, result } = await change((await readShipments(transaction)) ?? initial, transaction)
    await writeNotes(transaction, [{ name: note, value: next }], nowMs)
    return result
  })
}
