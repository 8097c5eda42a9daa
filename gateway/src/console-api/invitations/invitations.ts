import { invitationRoutes, logType } from '@tollgate/contract'

import { quotaText } from '../../billing/ledger/quota-text'
import { userLog } from '../../billing/ledger/event-logs'
import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'

async function code({ ctx, caller }: Call<'user'>): Promise<string> {
  const user = ctx.database.query.selectFrom('users').select('aff_code').where('id', '=', caller.userId)
  return (await user.executeTakeFirstOrThrow()).aff_code
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
  handler(invitationRoutes.transferEarned, ({ body }, call) => transfer(body.quota, call)),
]
