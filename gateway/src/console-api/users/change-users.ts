import { userStatus, type RouteData, type RouteInput, type UserId, type userRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { requireGrant } from '../../http/guard'
import { sentence } from '../../http/language'
import { logQuotaChange, logUserAction } from './log-user-action'
import { applyAction } from './manage-user'
import { checkAction, refuseOutOfReach } from './rank'
import { announceUser, checkQuota, checkGroup, lockUser } from './touch-user'

type Body = RouteInput<typeof userRoutes.changeUsers>['body']
type Result = RouteData<typeof userRoutes.changeUsers>[number]
type Outcome = (typeof userRoutes.bulkOutcomes)[number]

/**
 * Changes many users independently: a refusal for one does not affect the others. A balance changes once per operation, however often the
 * call is repeated.
 * @throws AppError `auth.forbidden`, `user.bulk_empty`, `user.group`, `user.quota` before anything is changed.
 */
export async function changeUsers(body: Body, call: Call<'user'>): Promise<Result[]> {
  const { ctx, audit, caller } = call
  if (body.group !== undefined || body.status !== undefined) requireGrant(caller, 'users.write')
  if (body.quota) requireGrant(caller, 'balances.write')
  if (!body.quota && body.group === undefined && body.status === undefined) throw new AppError('user.bulk_empty')
  if (body.quota !== undefined) checkQuota(body.quota)
  if (body.group !== undefined) checkGroup(body.group, ctx)
  const { operation_id, group, status, quota, reason } = body
  const ids = [...new Set(body.ids)]
  audit.recordChange({}, { operation_id, group, status, quota, reason, ids: inParts(ids) })
  const results: Result[] = []
  for (const id of ids) results.push(await resultOf(id, body, call))
  await ctx.changes.deliver()
  if ((quota ?? 0) < 0) await Promise.all(ids.map((id) => ctx.ledger.whenRecalled('user', id)))
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  audit.recordChange({}, { changed: count('changed'), repeated: count('repeated'), refused: count('refused') })
  return results
}

async function resultOf(id: UserId, body: Body, call: Call<'user'>): Promise<Result> {
  try {
    return { id, outcome: await changeOne(id, body, call), message: '' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { id, outcome: 'refused', message: sentence(error.code, error.params, call.language) }
  }
}

async function changeOne(
  id: UserId,
  { operation_id, group, status, quota = 0, reason }: Body,
  call: Call<'user'>,
): Promise<Outcome> {
  const { ctx, caller } = call
  const action = status === undefined ? undefined : status === userStatus.enabled ? 'enable' : 'disable'
  const { target, isMoved, isSwitched, isCredited } = await ctx.database.query
    .transaction()
    .execute(async (transaction) => {
      const target = await lockUser(ctx, id, transaction)
      refuseOutOfReach(caller, target, 'user.rank_edit')
      const isMoved = group !== undefined && group !== target.group
      if (isMoved) await transaction.updateTable('users').set({ group }).where('id', '=', id).execute()
      const isSwitched = action !== undefined && status !== target.status
      if (isSwitched) {
        checkAction(action, caller, target)
        await applyAction(action, id, ctx.clock.seconds(), transaction)
      }
      if (isMoved || isSwitched) await announceUser(ctx, id, transaction)
      const creditId = `bulk:${caller.userId}:${operation_id}:${id}`
      const credit = { id: creditId, userId: id, kind: 'admin', amount: quota, detail: reason } as const
      const isCredited = quota !== 0 && (await ctx.ledger.credit(credit, transaction))
      return { target, isMoved, isSwitched, isCredited }
    })
  if (action && isSwitched) logUserAction(action, target, call)
  if (isCredited) await logQuotaChange({ userId: id, username: target.username, change: quota, reason }, call)
  if (isMoved || isSwitched || isCredited) return 'changed'
  return quota === 0 ? 'unchanged' : 'repeated'
}

/** The audit log only keeps the first of long lists. */
const inParts = (ids: readonly number[]) => [ids.slice(0, 50), ids.slice(50)].filter((part) => part.length > 0)
