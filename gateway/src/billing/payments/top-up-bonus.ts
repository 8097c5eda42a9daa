import type { OptionValues } from '@tollgate/contract'
import { bonusOf, bonusTierOf, type BonusTier } from '@tollgate/contract/price-formula'

import type { Context } from '../../context'
import type { OrderRow } from '../../platform/store/tables'
import { amountOf } from './price'

type Deps = Pick<Context, 'catalog' | 'database'>

/** A tier with amounts as users enter them. */
interface AvailableTier extends BonusTier {
  /** The amount from which it applies, in US dollars. */
  readonly dollars: number
}

/** Resolves with the bonuses that a user can still get: who had an account before gets none that is given once. */
export async function availableBonuses({ catalog, database }: Deps, userId: number): Promise<readonly AvailableTier[]> {
  const { options } = catalog.current
  const tiers = options.TopUpBonuses.map((tier) => tierOf(tier, options))
  const onceTiers = tiers.filter((tier) => tier.is_once)
  if (onceTiers.length === 0) return tiers
  const user = await database.query
    .selectFrom('users')
    .select('is_returning')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user?.is_returning === 1) return tiers.filter((tier) => !tier.is_once)
  const idOf = ({ dollars }: AvailableTier) => onceBonusId(userId, dollars)
  const credits = await database.query
    .selectFrom('credits')
    .select('id')
    .where('id', 'in', onceTiers.map(idOf))
    .execute()
  const spent = new Set(credits.map(({ id }) => id))
  return tiers.filter((tier) => !tier.is_once || !spent.has(idOf(tier)))
}

const tierOf = (
  { from, quota, percent, once }: OptionValues['TopUpBonuses'][number],
  options: OptionValues,
): AvailableTier => ({
  from: amountOf(from, options),
  dollars: from,
  quota: quota ?? null,
  percent: percent ?? null,
  is_once: once === true,
})

/** Returns the natural key of the credit of a bonus that a user gets once: of all orders that promise it, the first that is paid brings it. */
export const onceBonusId = (userId: number, dollars: number): string => `bonus:once:${userId}:${dollars}`

/** Resolves with the bonus that is fixed with an order of this amount, which credits `quota`. */
export async function quoteBonus(
  deps: Deps,
  userId: number,
  { amount, quota }: { readonly amount: number; readonly quota: number },
): Promise<Pick<OrderRow, 'bonus' | 'once_tier'>> {
  const tier = bonusTierOf(amount, await availableBonuses(deps, userId))
  if (!tier) return { bonus: 0, once_tier: 0 }
  return { bonus: bonusOf(tier, quota), once_tier: tier.is_once ? tier.dollars : 0 }
}
