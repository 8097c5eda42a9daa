import { logType, redemptionRoutes, type ErrorCode, type RouteResult } from '@tollgate/contract'

import { quotaText } from '../../billing/ledger/quota-text'
import { userLog } from '../../billing/ledger/event-logs'
import { beginSubscription, findPlan } from '../../billing/plans/subscription'
import { AppError } from '../../platform/app-error'
import { addExpiringQuota } from '../../billing/expiring-quota/count-spending'
import type { Call } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import type { RedemptionRow } from '../../platform/store/tables'
import { codesIn } from './find-codes'

const { redemptionStatus: status } = redemptionRoutes

/**
 * Redeems a code for the caller: its use and the credit are one transaction, so repeated or parallel calls credit once.
 * @throws AppError `redemption.empty`, `.invalid`, `.early`, `.expired`, `.used`, `.gift_spent`, `.gift_used`.
 */
export async function redeemCode(
  key: string,
  call: Call<'user'>,
): Promise<RouteResult<typeof redemptionRoutes.redeemCode>> {
  const { ctx, caller, audit } = call
  if (key === '') throw new AppError('redemption.empty')
  const now = ctx.clock.seconds()
  const { code, endsAt, plan } = await ctx.database.query.transaction().execute(async (transaction) => {
    const found = await lockByKey(transaction, key)
    const refusal = found ? refusalOf(found, now) : 'redemption.invalid'
    if (!found || refusal) throw new AppError(refusal ?? 'redemption.invalid')
    await recordUse(transaction, found, { userId: caller.userId, now })
    if (found.kind === 'plan') return { code: found, ...(await beginPlan(found, call, transaction)) }
    const credit = { userId: caller.userId, kind: 'redemption', amount: found.quota } as const
    await ctx.ledger.credit({ ...credit, id: `redemption:${found.id}:${caller.userId}` }, transaction)
    return { code: found, endsAt: await expiryOf(found, call, now, transaction), plan: '' }
  })
  audit.target('code', code.id, code.name)
  audit.recordChange({}, { quota: code.quota, ...(endsAt > 0 && { ends_at: endsAt }), ...(plan && { plan }) })
  await ctx.changes.deliver()
  writeLog(code, plan, call, now)
  return { quota: code.quota, is_gift: code.is_gift === 1, ends_at: endsAt, plan }
}

/** Begins the plan of a code. @throws AppError `plan.none`, `plan.user_limit`. */
async function beginPlan({ plan_id: planId }: RedemptionRow, { ctx, caller }: Call<'user'>, transaction: Transaction) {
  const plan = await findPlan(transaction, planId)
  const beginning = { userId: caller.userId, plan, source: 'code', paid: 0 } as const
  const { ends_at: endsAt } = await beginSubscription(ctx, transaction, beginning)
  return { endsAt, plan: plan.name }
}

/** Resolves with when the unspent part of what a code gave ends; 0: never. */
async function expiryOf(
  { id: redemptionId, kind, quota, quota_days: days }: RedemptionRow,
  { ctx, caller: { userId } }: Call<'user'>,
  now: number,
  transaction: Transaction,
): Promise<number> {
  if (kind !== 'expiring') return 0
  return addExpiringQuota(ctx, transaction, { redemptionId, userId, quota, days, now })
}

/** Redemptions of one code are serialized. */
async function lockByKey(transaction: Transaction, key: string): Promise<RedemptionRow | undefined> {
  const hash = sha256(key)
  await transaction
    .updateTable('redemption_codes')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('key_hash', '=', hash)
    .execute()
  return codesIn(transaction).selectAll().where('key_hash', '=', hash).executeTakeFirst()
}

/** Returns why a code cannot be redeemed by anyone now. */
function refusalOf(code: RedemptionRow, now: number): ErrorCode | undefined {
  if (code.status === status.disabled) return 'redemption.invalid'
  if (code.valid_from > now) return 'redemption.early'
  if (code.valid_until > 0 && code.valid_until < now) return 'redemption.expired'
  if (code.status === status.used) return code.is_gift === 1 ? 'redemption.gift_spent' : 'redemption.used'
  return undefined
}

interface Use {
  readonly userId: number
  readonly now: number
}

/** @throws AppError `redemption.gift_used` when this user has redeemed the gift code before. */
async function recordUse(transaction: Transaction, code: RedemptionRow, { userId, now }: Use): Promise<void> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('redemption_uses')
    .values({ redemption_id: code.id, user_id: userId, used_at: now, quota: code.quota })
    .onConflict((conflict) => conflict.columns(['redemption_id', 'user_id']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('redemption.gift_used')
  const used = code.used_count + 1
  const isSpent = code.is_gift === 0 || used === code.max_uses
  await transaction
    .updateTable('redemption_codes')
    .set({ used_count: used, used_user_id: userId, redeemed_time: now, ...(isSpent && { status: status.used }) })
    .where('id', '=', code.id)
    .execute()
}

function writeLog(
  code: RedemptionRow,
  plan: string,
  { ctx, caller, requestId }: Call<'user'>,
  createdAt: number,
): void {
  const { userId, username } = caller
  const params = { quota: quotaText(code.quota, ctx.catalog.current.options), plan, id: code.id }
  const ofQuota = code.is_gift === 1 ? 'log.redeemed_gift' : 'log.redeemed'
  const text = { code: plan === '' ? ofQuota : 'log.redeemed_plan', params } as const
  const details = { quota_change: code.quota }
  ctx.ledger.record(requestId, userLog({ createdAt, type: logType.topUp, userId, username, text, details }))
}
