import type { Context } from '../../context'
import type { Caller, IncomingCall } from '../call'

/** The limit that OpenAI's old billing endpoints report for a key without a limit. */
const unlimitedAmount = 100_000_000

interface Account {
  /** Quota. */
  readonly remaining: number
  readonly used: number
  readonly isUnlimited: boolean
}

/** `GET /dashboard/billing/subscription`: the total bought, in dollars or quota as the site shows it. */
export async function subscription(caller: Caller, call: IncomingCall, ctx: Context) {
  const { remaining, used, isUnlimited } = await accountOf(caller, call, ctx)
  const amount = isUnlimited ? unlimitedAmount : convertForDisplay(remaining + used, call)
  const expiresAt = caller.key?.expiresAt ?? -1
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: amount,
    hard_limit_usd: amount,
    system_hard_limit_usd: amount,
    access_until: Math.max(expiresAt, 0),
  }
}

/** `GET /dashboard/billing/usage`: the total spent, in hundredths. */
export async function usage(caller: Caller, call: IncomingCall, ctx: Context) {
  const { used } = await accountOf(caller, call, ctx)
  return { object: 'list', total_usage: convertForDisplay(used, call) * 100 }
}

const convertForDisplay = (quota: number, { catalog: { options } }: IncomingCall): number =>
  options.DisplayInCurrencyEnabled ? quota / options.QuotaPerUnit : quota

/** Returns whether balances that a key reads are those of the key, not of its user. */
export const isOfToken = ({ key }: Caller, { catalog }: IncomingCall): boolean =>
  key !== null && catalog.options.DisplayTokenStatEnabled

/** Resolves with the balance that a key reads, after all charges. */
export async function accountOf(caller: Caller, call: IncomingCall, ctx: Context): Promise<Account> {
  await ctx.ledger.waitUntilApplied()
  return caller.key && isOfToken(caller, call) ? tokenAccount(caller.key.id, ctx) : userAccount(caller, ctx)
}

async function tokenAccount(tokenId: number, ctx: Context): Promise<Account> {
  const [balances, row] = await Promise.all([
    ctx.ledger.tokenBalanceOf([tokenId]),
    ctx.database.query
      .selectFrom('tokens')
      .select(['used_quota', 'unlimited_quota'])
      .where('id', '=', tokenId)
      .executeTakeFirst(),
  ])
  return {
    remaining: balances.get(tokenId) ?? 0,
    used: row?.used_quota ?? 0,
    isUnlimited: row?.unlimited_quota === 1,
  }
}

/** Resolves with the balance of a user, once charges are applied. */
export async function userAccount({ account }: Caller, ctx: Context): Promise<Account> {
  const [balances, row] = await Promise.all([
    ctx.ledger.balanceOf([account.id]),
    ctx.database.query.selectFrom('users').select('used_quota').where('id', '=', account.id).executeTakeFirst(),
  ])
  return { remaining: balances.get(account.id) ?? 0, used: row?.used_quota ?? 0, isUnlimited: false }
}
