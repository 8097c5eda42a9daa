import { daySeconds } from '@tollgate/contract'

/** Returns the moment (seconds) before which rows are older than this many days. */
export const daysBefore = (nowSeconds: number, days: number): number => nowSeconds - days * daySeconds

/** Returns when the month began (UTC, seconds) that is this many months before the present one. */
export function monthsBefore(nowSeconds: number, months: number): number {
  const now = new Date(nowSeconds * 1000)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) / 1000
}
