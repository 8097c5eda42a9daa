import { readFields } from '@tollgate/contract'
import * as z from 'zod'

import type { Queries } from '../../platform/store/database'
import type { BatchRow } from '../../platform/store/tables'
import { moveTask, type TaskChange } from '../task-store'
import type { Batch } from './batch-store'

/** Where a batch stands at a vendor. Its channel and key are those of its task. Everything is optional, as in `TaskTerms`. */
const StoredState = z.object({
  /**
   * Empty: nothing is decided. `here`: this gateway makes the calls that are left. `send`: the calls go to the vendor. `create`: they are a file
   * there, of which a batch is made. `wait`: the vendor makes them. `clean`: all results are here.
   */
  step: z.enum(['', 'here', 'send', 'create', 'wait', 'clean']).default(''),
  /** What all requests about it have besides what proves who calls. */
  headers: z.record(z.string(), z.string()).default({}),
  /** What the vendor's batches call the path of its calls; empty: as their client called. */
  path: z.string().default(''),
  /** How many calls were sent. */
  lines: z.number().default(0),
  /** The vendor's names for the file of its calls, the batch, and its results. */
  inputId: z.string().default(''),
  batchId: z.string().default(''),
  resultIds: z.array(z.string()).readonly().default([]),
  /** When the submission was sent that may have arrived; Unix milliseconds. 0: there is none. */
  sentAt: z.number().default(0),
  /** Failures of the present step. */
  tries: z.number().default(0),
  isCancelSent: z.boolean().default(false),
  /** How many calls of the whole batch have ended, as the vendor said at last. */
  completed: z.number().default(0),
  failed: z.number().default(0),
  /** Results say that the account may make no more calls. */
  isAccountRefused: z.boolean().default(false),
  /** Channels that do not take it. */
  refusedBy: z.array(z.number()).readonly().default([]),
  /** Batches of the account of which one may be this one, whose response was lost: their results show which. */
  candidateIds: z.array(z.string()).readonly().default([]),
})
export type VendorState = z.output<typeof StoredState>

export const readVendorState = ({ vendor }: Pick<BatchRow, 'vendor'>): VendorState => readFields(StoredState, vendor)

export const noVendorState: VendorState = StoredState.parse({})

/**
 * Records a step, with what changes about the task. Resolves with the row's new text; null where another worker was faster: this one has lost the
 * batch.
 */
export async function saveVendorState(
  query: Queries,
  { row: { task_id: id, vendor: known }, task }: Batch,
  state: VendorState,
  change: TaskChange = {},
): Promise<string | null> {
  const vendor = JSON.stringify(state)
  return query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('batches')
      .set({ vendor })
      .where('task_id', '=', id)
      .where('vendor', '=', known)
      .where('claimed_until', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    if (Object.keys(change).length > 0) await moveTask(transaction, task.id, change)
    return vendor
  })
}
