import type { Order } from './use-orders'

/** Currencies have three decimals at the most. */
const inThousandths = (money: string): bigint => BigInt(Math.round(Number(money) * 1000))

/**
 * Returns the quota that a refund takes back, as the server reckons it: the part of the order's quota that all refunds together are of its
 * price, rounded down, less what was taken before.
 */
export function quotaToTake(
  { quota, quota_taken: taken, money, refunded }: Pick<Order, 'quota' | 'quota_taken' | 'money' | 'refunded'>,
  amount: string,
): number {
  const price = inThousandths(money)
  if (price === 0n) return 0
  return Math.max(Number((BigInt(quota) * (inThousandths(refunded) + inThousandths(amount))) / price) - taken, 0)
}
