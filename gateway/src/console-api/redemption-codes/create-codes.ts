import { redemptionRoutes } from '@tollgate/contract'

import { findPlan } from '../../billing/plans/subscription'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { checkedCount, checkedKey, codeColumns } from './code-rules'
import { randomHex } from '../../platform/random'

const { redemptionStatus } = redemptionRoutes
const defaultQuota = 100_000

/** Creates codes, all or none. Resolves with the codes. @throws AppError `redemption.exists` `plan.none`, and the codes of `code-rules.ts`. */
export async function createCodes(
  { database, seal, clock, random }: Context,
  creatorId: number,
  newRedemption: redemptionRoutes.NewRedemption,
): Promise<string[]> {
  const {
    name = '',
    quota = defaultQuota,
    quota_days = 0,
    plan_id = 0,
    is_gift = false,
    max_uses = null,
    valid_from = 0,
    valid_until = 0,
  } = newRedemption
  const columns = codeColumns({ name, quota, quota_days, plan_id, is_gift, max_uses, valid_from, valid_until }, 0)
  const keys = newRedemption.key
    ? [checkedKey(newRedemption.key)]
    : Array.from({ length: checkedCount(newRedemption.count ?? 1) }, () => newKey(random))
  const created = {
    ...columns,
    status: redemptionStatus.unused,
    created_time: clock.seconds(),
    created_by: creatorId,
  }
  await database.query.transaction().execute(async (transaction) => {
    if (plan_id > 0) await findPlan(transaction, plan_id)
    for (const key of keys) {
      const id = await insertCode({ ...created, key_hash: sha256(key), key_sealed: '' }, transaction)
      // Bound to its row, so it is written when that has an id.
      const key_sealed = seal.seal(key, `redemption_codes.key_sealed#${id}`)
      await transaction.updateTable('redemption_codes').set({ key_sealed }).where('id', '=', id).execute()
    }
  })
  return keys
}

const newKey = (random: Context['random']): string => randomHex(random, 16)

type NewRow = ReturnType<typeof codeColumns> & {
  readonly status: number
  readonly created_time: number
  readonly created_by: number
  readonly key_hash: string
  readonly key_sealed: string
}

/** The code of a deleted row is taken, too: it was given away. */
async function insertCode(row: NewRow, transaction: Transaction): Promise<number> {
  const inserted = await transaction
    .insertInto('redemption_codes')
    .values(row)
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw new AppError('redemption.exists')
  return inserted.id
}
