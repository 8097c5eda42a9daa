import { mayTouch, type windowRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { mayRead } from '../../accounts/users/known-users'
import { standingOf } from '../../accounts/users/standing'
import type { Context, SiteContext } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../platform/store/database'

/** Whose windows they are. */
export interface WindowsOwner {
  /** The windows of a plan are set with the plan. */
  readonly owner: Exclude<windowRoutes.WindowOwner, 'plan'>
  readonly ref: string
  /** The id of the key, user or channel; 0 for a group. */
  readonly id: number
}

/** Returns an owner as a call names it. @throws AppError `window.owner`. */
export function ownerOf(owner: windowRoutes.WindowOwner, ref: string): WindowsOwner {
  if (owner === 'plan') throw new AppError('window.owner')
  if (owner === 'group') return { owner, ref, id: 0 }
  const id = /^([1-9]\d{0,14})(?::[0-9a-f]{16})?$/.exec(ref)?.[1]
  if (id === undefined || (owner === 'channel_key') !== ref.includes(':')) throw new AppError('window.owner')
  return { owner, ref, id: Number(id) }
}

/** Resolves when the owner exists. @throws AppError `window.owner`. */
export async function requireOwner(ctx: SiteContext, { owner, ref, id }: WindowsOwner, query: Queries): Promise<void> {
  if (!(await exists[owner]({ ctx, query, ref, id }))) throw new AppError('window.owner')
}

interface Looked {
  readonly ctx: SiteContext
  readonly query: Queries
  readonly ref: string
  readonly id: number
}

/** A key and a user are locked, so that edits of their windows follow one another. */
const exists: Readonly<Record<WindowsOwner['owner'], (looked: Looked) => Promise<boolean>>> = {
  token: async ({ ctx, query, id }) =>
    isFound(
      await query
        .selectFrom('tokens')
        .select('id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .$if(ctx.database.kind === 'postgres', (rows) => rows.forUpdate())
        .execute(),
    ),
  user: async ({ ctx, query, id }) =>
    isFound(
      await query
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .$if(ctx.database.kind === 'postgres', (rows) => rows.forUpdate())
        .execute(),
    ),
  group: ({ ctx, ref }) => Promise.resolve(ctx.catalog.current.options.GroupRatio[ref] !== undefined),
  channel: ({ ctx, id }) => Promise.resolve(ctx.catalog.current.channels.has(id)),
  channel_key: ({ ctx, ref, id }) =>
    Promise.resolve(
      ctx.catalog.current.channels.get(id)?.keys.some(({ fingerprint }) => ref === `${id}:${fingerprint}`) ?? false,
    ),
}

const isFound = (rows: readonly unknown[]): boolean => rows.length > 0

/** Checks that a caller may read the windows of an owner, or set them. @throws AppError `auth.forbidden`, `window.owner`, `user.rank_edit`. */
export async function admitToWindows(
  { ctx, caller }: { readonly ctx: Context; readonly caller: Caller },
  { owner, id }: WindowsOwner,
  action: 'read' | 'write',
): Promise<void> {
  const isOfChannel = owner === 'channel' || owner === 'channel_key'
  if (!caller.grants.has(`${isOfChannel ? 'channels' : 'users'}.${action}`)) throw new AppError('auth.forbidden')
  if (isOfChannel || owner === 'group') return
  const user = await userOf(ctx, owner, id)
  if (!user || !mayRead(caller, user)) throw new AppError('window.owner')
  if (action === 'write' && !mayTouch(caller, standingOf(user))) throw new AppError('user.rank_edit')
}

const userOf = ({ database: { query } }: Context, owner: 'token' | 'user', id: number) => {
  const users = query.selectFrom('users').select(['id', 'role', 'grants'])
  return owner === 'user'
    ? users.where('id', '=', id).executeTakeFirst()
    : users.where('id', '=', query.selectFrom('tokens').select('user_id').where('id', '=', id)).executeTakeFirst()
}
