import { checkInRoutes, logType, type RouteResult } from '@tollgate/contract'

import { quotaText } from '../../billing/ledger/quota-text'
import { siteDay } from '../../accounts/site-calendar'
import { userLog } from '../../billing/ledger/event-logs'
import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { rangeOf } from './check-in-range'

/** A natural key: the ledger accepts each once. */
const creditId = ({ ctx, caller }: Call<'user'>): string => `check-in:${caller.userId}:${siteDay(ctx)}`

async function status(call: Call<'user'>): Promise<RouteResult<typeof checkInRoutes.checkInStatus>> {
  const { database, catalog } = call.ctx
  const { options } = catalog.current
  const { min, max } = rangeOf(options)
  const credits = database.query.selectFrom('credits').select('id').where('id', '=', creditId(call))
  const isDone = (await credits.executeTakeFirst()) !== undefined
  return {
    can_check_in: options.CheckInEnabled && !isDone,
    min_quota: min,
    max_quota: max,
    time_zone: options.SiteTimeZone,
  }
}

/** @throws AppError `checkin.off`, `checkin.done`. */
async function checkIn(call: Call<'user'>): Promise<{ quota: number }> {
  const { ctx, caller, requestId } = call
  const { options } = ctx.catalog.current
  if (!options.CheckInEnabled) throw new AppError('checkin.off')
  const { min, max } = rangeOf(options)
  const amount = min + Math.floor(ctx.random.number() * (max - min + 1))
  const { userId, username } = caller
  const credit = { id: creditId(call), userId, kind: 'check-in', amount } as const
  const isFirst = await ctx.database.query.transaction().execute((t) => ctx.ledger.credit(credit, t))
  if (!isFirst) throw new AppError('checkin.done')
  call.audit.target('user', userId, username)
  call.audit.recordChange({}, { quota: amount })
  const text = { code: 'log.checked_in', params: { quota: quotaText(amount, options) } } as const
  const createdAt = ctx.clock.seconds()
  const details = { quota_change: amount }
  ctx.ledger.record(requestId, userLog({ createdAt, type: logType.checkIn, userId, username, text, details }))
  return { quota: amount }
}

export const checkInHandlers: readonly Handler[] = [
  handler(checkInRoutes.checkInStatus, (_input, call) => status(call)),
  handler(checkInRoutes.checkIn, (_input, call) => checkIn(call)),
]
