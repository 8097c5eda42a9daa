import { pageOf, redemptionRoutes, searchPageOf } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import type { RedemptionRow } from '../../platform/store/tables'
import { deleteCodes, disableCodes, editCode, setCodeStatus } from './change-codes'
import { createCodes } from './create-codes'
import { codeRow, codesIn, findCodes, findUses, oneCode } from './find-codes'
import { redeemCode } from './redeem-code'

const { redemptionStatus } = redemptionRoutes

/** @throws AppError `redemption.name_empty`. */
function requireName(name: string): string {
  if (name === '') throw new AppError('redemption.name_empty')
  return name
}

/** Returns what the audit log keeps of a code: never the code itself. */
const factsOf = ({
  name,
  status,
  kind,
  quota,
  quota_days,
  plan_id,
  is_gift,
  max_uses,
  valid_from,
  valid_until,
}: RedemptionRow) => ({
  name,
  status,
  kind,
  quota,
  quota_days,
  plan_id,
  is_gift,
  max_uses,
  valid_from,
  valid_until,
})

async function create(
  newRedemption: redemptionRoutes.NewRedemption,
  { ctx, caller, audit }: Call<'user'>,
): Promise<string[]> {
  const keys = await createCodes(ctx, caller.userId, newRedemption)
  const { key: _key, ...facts } = newRedemption
  audit.target('code', '', newRedemption.name)
  audit.recordChange({}, { ...facts, count: keys.length })
  return keys
}

/** Deletes codes, and records in the audit log how many there were. */
async function deleteAndAudit(
  { ctx, audit }: Call<'user'>,
  column: 'name' | 'status',
  value: string | number,
): Promise<number> {
  const count = await deleteCodes(ctx, column, value)
  audit.recordChange({}, { deleted: count })
  return count
}

export const redemptionHandlers: readonly Handler[] = [
  handler(redemptionRoutes.listRedemptions, ({ query }, call) => findCodes(call, query, pageOf(query, 0))),
  handler(redemptionRoutes.searchRedemptions, async ({ query }, call) => {
    const found = await findCodes(call, query, searchPageOf(query, 0))
    return query.p === undefined ? found.items : found
  }),
  handler(redemptionRoutes.getRedemption, ({ params }, call) => oneCode(call, params.id)),
  handler(redemptionRoutes.listRedemptionUses, ({ params, query }, { ctx }) =>
    findUses(ctx, params.id, pageOf(query, 0)),
  ),
  handler(redemptionRoutes.createRedemptions, ({ body }, call) => create(body, call)),
  handler(redemptionRoutes.updateRedemption, async ({ query, body }, call) => {
    const { before, after } = await (query.status_only ? setCodeStatus : editCode)(call.ctx, body)
    call.audit.target('code', after.id, after.name)
    call.audit.recordChange(factsOf(before), factsOf(after))
    return oneCode(call, body.id)
  }),
  handler(redemptionRoutes.disableRedemptions, async ({ body }, { ctx, audit }) => {
    audit.target('code', body.ids.join(','))
    const disabled = await disableCodes(ctx, body.ids)
    audit.recordChange({}, { disabled })
    return disabled
  }),
  handler(redemptionRoutes.countRedemptionsByName, async ({ query }, { ctx }) => {
    const { count } = await codesIn(ctx.database.query)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('name', '=', requireName(query.name))
      .executeTakeFirstOrThrow()
    return count
  }),
  handler(redemptionRoutes.deleteRedemptionsByName, ({ query }, call) => {
    call.audit.target('code', '', query.name)
    return deleteAndAudit(call, 'name', requireName(query.name))
  }),
  handler(redemptionRoutes.deleteDisabledRedemptions, (_input, call) =>
    deleteAndAudit(call, 'status', redemptionStatus.disabled),
  ),
  handler(redemptionRoutes.deleteRedemption, async ({ params }, { ctx, audit }) => {
    const code = await codeRow(ctx.database.query, params.id)
    audit.target('code', code.id, code.name)
    audit.recordChange(factsOf(code), {})
    if ((await deleteCodes(ctx, 'id', params.id)) === 0) throw new AppError('redemption.none')
    return undefined
  }),
]

export const redeemHandlers: readonly Handler[] = [
  handler(redemptionRoutes.redeemCode, ({ body }, call) => redeemCode(body.key, call)),
]
