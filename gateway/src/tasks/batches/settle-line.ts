import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Charge } from '../../billing/ledger/ledger'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { endedTaskStatuses } from '@tollgate/contract'
import type { Batch } from './batch-store'
import { lineState, type LineBook, type LineRow } from './batch-lines'
import { heldFor, type BatchTerms } from './batch-terms'

/** What became of a line. */
export interface LineResult {
  /** As it stands in the file of results. */
  readonly text: string
  /** Null: it failed, and costs nothing. */
  readonly charge: Charge | null
  /** Those of the channel and the key that served it. */
  readonly windows: readonly LimitWindow[]
}

/** Returns the request id of a line: it is charged at most once. */
export const lineId = (batchId: string, line: number): string => `${batchId}-${line}`

/**
 * Keeps the result of a line, counts it and charges it, in one transaction, once: a worker that was thought dead, or another one that makes the
 * same call, changes nothing. Resolves with whether it did.
 */
export const settleLine = (
  { database, ledger }: Pick<Context, 'database' | 'ledger'>,
  { task }: Batch,
  row: LineRow,
  { text, charge, windows, book, terms }: LineResult & { readonly book: LineBook; readonly terms: BatchTerms },
): Promise<boolean> =>
  database.query
    .transaction()
    .execute(async (transaction) => {
      const { public_id: id } = task
      const cost = charge?.cost ?? 0
      // The task first, as everywhere where tasks end: its end waits for this line, or this line finds it ended.
      const { numUpdatedRows } = await transaction
        .updateTable('tasks')
        .set({ quota: sql`quota + ${cost}` })
        .where('id', '=', task.id)
        .where('status', 'not in', endedTaskStatuses)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      const state = charge ? lineState.succeeded : lineState.failed
      const stored = await transaction
        .updateTable('batch_lines')
        .set({ state, content: book.seal(row.line, state, text), bytes: Buffer.byteLength(text) + 1 })
        .where('batch_id', '=', id)
        .where('line', '=', row.line)
        .where('state', '=', lineState.waiting)
        .executeTakeFirst()
      if (stored.numUpdatedRows === 0n) throw new LineTaken()
      await transaction
        .updateTable('batches')
        .set(charge ? { completed: sql`completed + 1` } : { failed: sql`failed + 1` })
        .where('task_id', '=', id)
        .execute()
      if (charge) {
        const held = heldFor(row, terms)
        await ledger.chargeHeld(id, { requestId: lineId(id, row.line), held, charge, windows }, transaction)
      }
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof LineTaken) return false
      throw error
    })

/** Another worker was first: nothing of the transaction stays. */
class LineTaken extends Error {
  override readonly name = 'LineTaken'
}
