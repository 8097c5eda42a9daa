import { invitationRoutes, logType, type RouteResult } from '@tollgate/contract'

import { quotaText } from '../../billing/ledger/quota-text'
import { userLog } from '../../billing/ledger/event-logs'
import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import type { CommissionState } from '../../platform/store/tables/money'

async function code({ ctx, caller }: Call<'user'>): Promise<string> {
  const user = ctx.database.query.selectFrom('users').select('aff_code').where('id', '=', caller.userId)
  return (await user.executeTakeFirstOrThrow()).aff_code
}

async function commissions({ ctx, caller }: Call<'user'>): Promise<RouteResult<typeof invitationRoutes.commissions>> {
  const { options } = ctx.catalog.current
  const sums = await ctx.database.query
    .selectFrom('commissions')
    .select((eb) => [
      'state',
      eb.fn.sum<number>(eb('amount', '-', eb.ref('taken'))).as('quota'),
      eb.fn.min('due_at').as('next_at'),
    ])
    .where('inviter_id', '=', caller.userId)
    .groupBy('state')
    .execute()
  const sumOf = (state: CommissionState) => sums.find((sum) => sum.state === state)
  return {
    rate: options.AffEnabled ? options.InvitationCommissionRate : 0,
    days: options.InvitationCommissionDays,
    delay_days: options.InvitationCommissionDelayDays,
    pending: sumOf('pending')?.quota ?? 0,
    next_at: sumOf('pending')?.next_at ?? null,
    settled: sumOf('settled')?.quota ?? 0,
  }
}

/** @throws AppError `aff.min`, `aff.short`. */
async function transfer(quota: number, { ctx, caller, requestId, audit }: Call<'user'>): Promise<undefined> {
  const { options } = ctx.catalog.current
  const { userId, username } = caller
  if (quota < options.QuotaPerUnit || !Number.isSafeInteger(quota)) {
    throw new AppError('aff.min', { params: { quota: quotaText(Math.ceil(options.QuotaPerUnit), options) } })
  }
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set((eb) => ({ aff_quota: eb('aff_quota', '-', quota) }))
      .where('id', '=', userId)
      .where('aff_quota', '>=', quota)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new AppError('aff.short')
    const id = `invitation-transfer:${requestId}`
    await ctx.ledger.credit({ id, userId, kind: 'invitation', amount: quota }, transaction)
  })
  audit.target('user', userId, username)
  audit.recordChange({}, { quota })
  const text = { code: 'log.invitation_transferred', params: { quota: quotaText(quota, options) } } as const
  const createdAt = ctx.clock.seconds()
  const details = { quota_change: quota }
  ctx.ledger.record(requestId, userLog({ createdAt, type: logType.system, userId, username, text, details }))
}

export const invitationHandlers: readonly Handler[] = [
  handler(invitationRoutes.invitationCode, (_input, call) => code(call)),
  handler(invitationRoutes.commissions, (_input, call) => commissions(call)),
  handler(invitationRoutes.transferEarned, ({ body }, call) => transfer(body.quota, call)),
]
