import { timingSafeEqual } from 'node:crypto'
import { optionText, passwordLength, role, type RouteInput, type setupRoutes } from '@tollgate/contract'

import { checkedUsername } from '../../accounts/users/usernames'
import { hashedPassword } from '../../accounts/users/passwords'
import { insertUser } from '../../accounts/users/add-member'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import type { Queries, Transaction } from '../../platform/store/database'
import { version } from '../../platform/config/version'
import { storeOption } from '../../channels/catalog/option-changes'

type Body = RouteInput<typeof setupRoutes.setUp>['body']

const rootDisplayName = 'Root User'

/** Resolves with whether the gateway is set up. */
export async function isSetUp(query: Queries): Promise<boolean> {
  return (await query.selectFrom('setups').select('id').executeTakeFirst()) !== undefined
}

/** Resolves with whether the super admin exists. */
export async function hasRoot(query: Queries): Promise<boolean> {
  const root = query.selectFrom('users').select('id').where('role', '=', role.root).where('deleted_at', 'is', null)
  return (await root.executeTakeFirst()) !== undefined
}

/**
 * Creates the super admin and stores the mode of the site. Of several simultaneous calls one succeeds.
 * @throws AppError of the `setup.` family, `user.username`, `user.password`.
 */
export async function setUp(body: Body, call: Call<'guest'>): Promise<void> {
  const { ctx } = call
  if (await isSetUp(ctx.database.query)) throw new AppError('setup.done')
  if (await requiresCode(call)) checkSetupCode(body.setupCode ?? '', call.site.setupAccess.code)
  const root = (await hasRoot(ctx.database.query)) ? null : await rootOf(body)
  await ctx.database.query.transaction().execute(async (transaction) => {
    await claim(ctx, transaction)
    if (root) await insertRoot(root, ctx, transaction)
    await keepMode(body, ctx, transaction)
  })
  call.site.setupAccess.finish()
  await ctx.changes.deliver()
}

/** Resolves with whether this visitor must give the code. */
export const requiresCode = ({ site, request, peer }: Pick<Call, 'site' | 'request' | 'peer'>): Promise<boolean> =>
  site.setupAccess.requiresCode(request, peer)

/** Compared in constant time. */
function checkSetupCode(enteredCode: string, expected: string) {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  if (!timingSafeEqual(digest(enteredCode.trim()), digest(expected))) throw new AppError('setup.code')
}

async function rootOf({ username, password, confirmPassword }: Body) {
  if (username.trim() === '') throw new AppError('setup.username')
  if (Array.from(password).length < passwordLength.min) throw new AppError('setup.short')
  if (password !== confirmPassword) throw new AppError('setup.mismatch')
  return { username: checkedUsername(username), passwordHash: await hashedPassword(password) }
}

/** The one row that says it is done; others wait for it and then find it taken. */
async function claim(ctx: Context, transaction: Transaction) {
  const claimed = await transaction
    .insertInto('setups')
    .values({ id: 1, version, initialized_at: ctx.clock.seconds() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!claimed) throw new AppError('setup.done')
}

async function insertRoot(
  { username, passwordHash }: { username: string; passwordHash: string },
  ctx: Context,
  transaction: Transaction,
) {
  const user = { username, passwordHash, displayName: rootDisplayName, role: role.root, createdAt: ctx.clock.seconds() }
  const userId = await insertUser(user, ctx.random, transaction)
  await ctx.ledger.credit({ id: `setup:${userId}`, userId, kind: 'setup', amount: rootQuota }, transaction)
}

async function keepMode(body: Body, ctx: Context, transaction: Transaction) {
  for (const key of ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const)
    await storeOption(key, optionText(key, body[key]), transaction)
  await ctx.changes.announce({ topic: 'catalog', refId: 0 }, transaction)
}

/** What the account of the set-up is given. */
export const rootQuota = 100_000_000
