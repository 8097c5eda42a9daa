import { windowRoutes } from '@tollgate/contract'

import { checkWindows } from '../../billing/ledger/window/check-windows'
import { setWindowsIn } from '../../billing/ledger/window/set-windows'
import { standingsOf, type WindowOf } from '../../billing/ledger/window/standings'
import { AppError } from '../../platform/app-error'
import { windowSettings, windowsOfOwner } from '../../billing/ledger/window/read-windows'
import { plansOfUser } from '../../billing/plans/account-plans'
import type { Context, SiteContext } from '../../context'
import { readableUsers } from '../../accounts/users/known-users'
import { handler, type Call, type Handler, type SiteChange } from '../../http/handler'
import type { Change } from '../../platform/store/changes'
import { admitToWindows, ownerOf, requireOwner, type WindowsOwner } from './windows-owner'

export const windowHandlers: readonly Handler[] = [
  handler(windowRoutes.listWindows, async ({ query }, { ctx, caller }) => {
    const windowsOwner = ownerOf(query.owner, query.ref)
    await admitToWindows({ ctx, caller }, windowsOwner, 'read')
    await requireOwner(ctx, windowsOwner, ctx.database.query)
    return readWindows(ctx, windowsOwner)
  }),
  handler(windowRoutes.setWindows, async ({ body }, call) => {
    const windowsOwner = ownerOf(body.owner, body.ref)
    await admitToWindows(call, windowsOwner, 'write')
    call.audit.target(windowsOwner.owner, windowsOwner.ref)
    return changeWindows(call, windowsOwner, body.windows)
  }),
  handler(windowRoutes.listGroupWindows, async (_, { ctx }) => {
    const { options, groupWindows } = ctx.catalog.current
    return Object.keys(options.GroupRatio).map((group) => ({
      group,
      windows: (groupWindows.get(group) ?? []).map(windowSettings),
    }))
  }),
  handler(windowRoutes.listKeyWindows, async ({ query }, { ctx, caller }) => {
    const { id } = await ownKey(ctx, caller.userId, query.token_id)
    return readWindows(ctx, ownerOf('token', String(id)))
  }),
  handler(windowRoutes.setKeyWindows, async ({ body }, call) => {
    const { id, name } = await ownKey(call.ctx, call.caller.userId, body.token_id)
    call.audit.target('token', id, name)
    // Owners of keys do not decide what operators are told of.
    const windows = body.windows.map((window) => ({ ...window, alerts_operators: false }))
    return changeWindows(call, ownerOf('token', String(id)), windows)
  }),
  handler(windowRoutes.ownStandings, (_, { ctx, caller }) => ownStandings(ctx, caller)),
  handler(windowRoutes.listStandings, ({ query }, call) => standingsOfSeveral(query, call)),
]

/** @throws AppError `token.none` when the user has no such key. */
async function ownKey({ database: { query } }: Context, userId: number, tokenId: number) {
  const key = await query
    .selectFrom('tokens')
    .select(['id', 'name'])
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!key) throw new AppError('token.none')
  return key
}

const timesOf = ({ clock, catalog }: SiteContext) => ({
  now: clock.seconds(),
  timeZone: catalog.current.options.SiteTimeZone,
})

/** Resolves with the windows of an owner as they are set, and what is left of them. */
async function readWindows(ctx: SiteContext, { owner, ref, id }: WindowsOwner) {
  const rows = await windowsOfOwner(ctx.database.query, owner, ref)
  const limited = owner === 'group' ? [] : rows.map((row) => ({ row, subjectId: id }))
  return { windows: rows.map(windowSettings), standings: await standingsOf(ctx.database.query, limited, timesOf(ctx)) }
}

/** Sets all windows of an owner at once; the audit log has them before and after. @throws AppError as `setWindows`. */
export async function changeWindows(
  call: Pick<SiteChange, 'ctx' | 'audit'>,
  windowsOwner: WindowsOwner,
  windows: readonly windowRoutes.WindowSettings[],
) {
  const { ctx, audit } = call
  const before = await windowsOfOwner(ctx.database.query, windowsOwner.owner, windowsOwner.ref)
  await setWindows(ctx, windowsOwner, windows)
  const after = await readWindows(ctx, windowsOwner)
  audit.recordChange(factsOf(before.map(windowSettings)), factsOf(after.windows))
  return after
}

/** What the audit log keeps of windows: each by its name. */
const factsOf = (windows: readonly windowRoutes.WindowSettings[]) =>
  Object.fromEntries(windows.map(({ id: _id, name, ...settings }) => [name, JSON.stringify(settings)]))

/** Resolves with what is left for a user: of the own windows or else those of the group, and of those of keys and running subscriptions. */
async function ownStandings(ctx: Context, { userId, group }: Call<'user'>['caller']) {
  const { query } = ctx.database
  const ofUser = await windowsOfUser(ctx, userId, group)
  const keys = await query
    .selectFrom('tokens')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const plans = await plansOfUser(query, userId)
  const planNames = new Map(plans.map(({ subscriptionId, name }) => [subscriptionId, name]))
  const ofPlans = plans.flatMap(({ subscriptionId: subjectId, windows }) => windows.map((row) => ({ row, subjectId })))
  const windows = [...ofUser, ...(await windowsOf(ctx, 'token', [...names.keys()])), ...ofPlans]
  const standings = await standingsOf(query, windows, timesOf(ctx))
  return standings.map((standing) => ({
    ...standing,
    key_name: standing.owner === 'token' ? (names.get(standing.subject_id) ?? '') : '',
    plan_name: standing.owner === 'plan' ? (planNames.get(standing.subject_id) ?? '') : '',
  }))
}

async function windowsOfUser(ctx: Context, userId: number, group: string): Promise<WindowOf[]> {
  const own = await windowsOf(ctx, 'user', [userId])
  if (own.length > 0) return own
  return (ctx.catalog.current.groupWindows.get(group) ?? []).map((row) => ({ row, subjectId: userId }))
}

/** Resolves with the windows of several owners of a kind. */
async function windowsOf(
  { database: { query } }: Context,
  owner: 'token' | 'user' | 'channel',
  ids: readonly number[],
): Promise<WindowOf[]> {
  if (ids.length === 0) return []
  const rows = await query
    .selectFrom('windows')
    .selectAll()
    .where('owner', '=', owner)
    .where('ref', 'in', ids.map(String))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ row, subjectId: Number(row.ref) }))
}

type StandingsQuery = { readonly owner: 'token' | 'user' | 'channel'; readonly ids: string }

/** Resolves with what is left for several; those that the caller may not read are left out. */
async function standingsOfSeveral({ owner, ids }: StandingsQuery, { ctx, caller }: Call<'user'>) {
  const requested = [...new Set(ids.split(',').map(Number))]
  const { query } = ctx.database
  if (owner === 'channel')
    return caller.grants.has('channels.read')
      ? standingsOf(query, await windowsOf(ctx, owner, requested), timesOf(ctx))
      : []
  if (!caller.grants.has('users.read')) return []
  const isReadable = await readableUsers(ctx, caller, {})
  const users = query.selectFrom('users').select(['users.id', 'users.group']).where(isReadable)
  if (owner === 'user') {
    const found = await users.where('users.id', 'in', requested).execute()
    const windows = await Promise.all(found.map(({ id, group }) => windowsOfUser(ctx, id, group)))
    return standingsOf(query, windows.flat(), timesOf(ctx))
  }
  const keys = await query
    .selectFrom('tokens')
    .select('id')
    .where('id', 'in', requested)
    .where('user_id', 'in', users.clearSelect().select('users.id'))
    .execute()
  const readable = keys.map(({ id }) => id)
  return standingsOf(query, await windowsOf(ctx, owner, readable), timesOf(ctx))
}

/** Sets all windows of an owner at once; those that are not among them end. @throws AppError of the `window.` family; nothing is set then. */
async function setWindows(
  ctx: SiteContext,
  windowsOwner: WindowsOwner,
  windows: readonly windowRoutes.WindowSettings[],
): Promise<void> {
  checkWindows(windows, { ctx, owner: windowsOwner.owner })
  await ctx.database.query.transaction().execute(async (transaction) => {
    await requireOwner(ctx, windowsOwner, transaction)
    await setWindowsIn(ctx, transaction, windowsOwner, windows)
    await ctx.changes.announce(changeOf(windowsOwner), transaction)
  })
  await ctx.changes.deliver()
}

/** Keys and users are in memory by themselves; windows of groups and channels are in the catalog. */
function changeOf({ owner, id }: WindowsOwner): Change {
  if (owner === 'token' || owner === 'user') return { topic: owner, refId: id }
  return { topic: 'catalog', refId: 0 }
}
