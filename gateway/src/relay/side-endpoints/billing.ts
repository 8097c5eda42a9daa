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
  const amount = isUnlimited ? unlimitedAmount : shown(remaining + used, call)
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
  return { object: 'list', total_usage: shown(used, call) * 100 }
}

/** OpenRouter's `GET /api/v1/key`, in US dollars. https://openrouter.ai/docs/api-reference/get-current-api-key */
export async function keyFacts(caller: Caller, call: IncomingCall, ctx: Context) {
  const { remaining, used, isUnlimited } = await accountOf(caller, call, ctx)
  const { expiresAt = -1 } = caller.key ?? {}
  return {
    data: {
      label: caller.tokenName,
      limit: isUnlimited ? null : dollars(remaining + used, call),
      limit_remaining: isUnlimited ? null : dollars(remaining, call),
      limit_reset: null,
      usage: dollars(used, call),
      is_free_tier: false,
      expires_at: expiresAt > 0 ? new Date(expiresAt * 1000).toISOString() : null,
    },
  }
}

/** OpenRouter's `GET /api/v1/credits`: what the user bought and spent, in US dollars. */
export async function credits(caller: Caller, call: IncomingCall, ctx: Context) {
  await ctx.ledger.applied()
  const { remaining, used } = await userAccount(caller, ctx)
  return { data: { total_credits: dollars(remaining + used, call), total_usage: dollars(used, call) } }
}

const dollars = (quota: number, { catalog: { options } }: IncomingCall): number => quota / options.QuotaPerUnit

const shown = (quota: number, { catalog: { options } }: IncomingCall): number =>
  options.DisplayInCurrencyEnabled ? quota / options.QuotaPerUnit : quota

async function accountOf(caller: Caller, { catalog }: IncomingCall, ctx: Context): Promise<Account> {
  await ctx.ledger.applied()
  const isOfToken = catalog.options.DisplayTokenStatEnabled
  return isOfToken && caller.key ? tokenAccount(caller.key.id, ctx) : userAccount(caller, ctx)
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

async function userAccount({ account }: Caller, ctx: Context): Promise<Account> {
  const [balances, row] = await Promise.all([
    ctx.ledger.balanceOf([account.id]),
    ctx.database.query.selectFrom('users').select('used_quota').where('id', '=', account.id).executeTakeFirst(),
  ])
  return { remaining: balances.get(account.id) ?? 0, used: row?.used_quota ?? 0, isUnlimited: false }
}
