import { redemptionRoutes, type RedemptionId } from '@tollgate/contract'

import { findPlan } from '../../billing/plans/subscription'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { RedemptionRow } from '../../platform/store/tables'
import { codeColumns } from './code-rules'
import { codeRow } from './find-codes'

const { redemptionStatus: status } = redemptionRoutes

/** The row before and after a change. */
interface Changed {
  readonly before: RedemptionRow
  readonly after: RedemptionRow
}

/**
 * Changes what the edit names of an unused code.
 * @throws AppError `redemption.none`, `redemption.edit_used`, `plan.none` and the codes of `codeColumns`.
 */
export const editCode = ({ database }: Context, edit: redemptionRoutes.RedemptionEdit): Promise<Changed> =>
  database.query.transaction().execute(async (transaction) => {
    const before = await lockedCode(transaction, edit.id)
    if (before.status !== status.unused) throw new AppError('redemption.edit_used')
    const columns = codeColumns(
      {
        name: edit.name ?? before.name,
        quota: edit.quota ?? before.quota,
        quota_days: edit.quota_days ?? before.quota_days,
        plan_id: edit.plan_id ?? before.plan_id,
        // A redeemed code cannot change: its redemptions are counted by it.
        is_gift: before.used_count > 0 ? before.is_gift === 1 : (edit.is_gift ?? before.is_gift === 1),
        max_uses: edit.max_uses === undefined ? before.max_uses : edit.max_uses,
        valid_from: edit.valid_from ?? before.valid_from,
        valid_until: edit.valid_until ?? before.valid_until,
      },
      before.used_count,
    )
    if (columns.plan_id > 0) await findPlan(transaction, columns.plan_id)
    await transaction.updateTable('redemption_codes').set(columns).where('id', '=', edit.id).execute()
    return { before, after: { ...before, ...columns } }
  })

/** Disables an unused code or enables a disabled one. @throws AppError `redemption.none`, `redemption.status`. */
export const setCodeStatus = (
  { database }: Context,
  { id, status: requestedStatus }: Pick<redemptionRoutes.RedemptionEdit, 'id' | 'status'>,
): Promise<Changed> =>
  database.query.transaction().execute(async (transaction) => {
    const before = await lockedCode(transaction, id)
    const isKnown = requestedStatus === status.unused || requestedStatus === status.disabled
    if (!isKnown || before.status === status.used) throw new AppError('redemption.status')
    await transaction.updateTable('redemption_codes').set({ status: requestedStatus }).where('id', '=', id).execute()
    return { before, after: { ...before, status: requestedStatus } }
  })

/** Its first statement writes, so that SQLite has the write lock before it reads. */
async function lockedCode(transaction: Transaction, id: RedemptionId): Promise<RedemptionRow> {
  await transaction
    .updateTable('redemption_codes')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', id)
    .execute()
  return codeRow(transaction, id)
}

/** Disables those codes that are unused. Resolves with how many there were. @throws AppError `redemption.ids_empty`. */
export async function disableCodes({ database }: Context, ids: readonly RedemptionId[]): Promise<number> {
  if (ids.length === 0) throw new AppError('redemption.ids_empty')
  const { numUpdatedRows } = await database.query
    .updateTable('redemption_codes')
    .set({ status: status.disabled })
    .where('id', 'in', ids)
    .where('status', '=', status.unused)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes the codes that have this value; their rows stay, because credits and logs name them. Resolves with how many there were. */
export async function deleteCodes(
  { database, clock }: Context,
  column: 'id' | 'name' | 'status',
  value: number | string,
): Promise<number> {
  const { numUpdatedRows } = await database.query
    .updateTable('redemption_codes')
    .set({ deleted_at: clock.seconds() })
    .where('deleted_at', 'is', null)
    .where(column, '=', value)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
