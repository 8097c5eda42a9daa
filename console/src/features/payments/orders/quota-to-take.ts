import type { Order } from './use-orders'

/** Currencies have at most three decimals. */
const inThousandths = (money: string): bigint => BigInt(Math.round(Number(money) * 1000))

/**
 * Returns the quota that a refund takes back, as the server computes it: the order's quota times the refunded share of its price, rounded
 * down, minus what was taken before.
 */
export function quotaToTake(
  { quota, quota_taken: taken, money, refunded }: Pick<Order, 'quota' | 'quota_taken' | 'money' | 'refunded'>,
  amount: string,
): number {
  const price = inThousandths(money)
  if (price === 0n) return 0
  return Math.max(Number((BigInt(quota) * (inThousandths(refunded) + inThousandths(amount))) / price) - taken, 0)
}
