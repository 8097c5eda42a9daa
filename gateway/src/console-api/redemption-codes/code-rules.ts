import { redemptionRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'

const { maxQuotaDays, maxRedemptionQuota, maxRedemptionNameLength, maxRedemptionCodes, redemptionKeyLengths } =
  redemptionRoutes

/** The terms of a code as its administrator sets them, complete. */
export interface CodeTerms {
  readonly name: string
  readonly quota: number
  readonly quota_days: number
  /** 0: it gives quota. */
  readonly plan_id: number
  readonly is_gift: boolean
  readonly max_uses: number | null
  readonly valid_from: number
  readonly valid_until: number
}

/**
 * Returns the columns for these terms.
 * @throws AppError `redemption.name`, `redemption.quota`, `redemption.days`, `redemption.max_uses`, `redemption.time`.
 */
export function codeColumns(terms: CodeTerms, usedCount: number) {
  const { name, plan_id, is_gift: isGift, valid_from, valid_until } = terms
  const { quota, quota_days } = plan_id > 0 ? { quota: 0, quota_days: 0 } : terms
  // Characters, not code units.
  const { length } = Array.from(name)
  if (length === 0 || length > maxRedemptionNameLength) {
    throw new AppError('redemption.name', { params: { most: maxRedemptionNameLength } })
  }
  if ((plan_id === 0 && quota <= 0) || quota > maxRedemptionQuota) {
    throw new AppError('redemption.quota', { params: { most: maxRedemptionQuota } })
  }
  if (quota_days < 0 || quota_days > maxQuotaDays) {
    throw new AppError('redemption.days', { params: { most: maxQuotaDays } })
  }
  if (valid_from > 0 && valid_until > 0 && valid_from >= valid_until) throw new AppError('redemption.time')
  return {
    name,
    kind: kindOf(plan_id, quota_days),
    quota,
    quota_days,
    plan_id,
    is_gift: isGift ? 1 : 0,
    max_uses: maxUses(terms, usedCount),
    valid_from,
    valid_until,
  }
}

const kindOf = (planId: number, quotaDays: number): redemptionRoutes.RedemptionKind =>
  planId > 0 ? 'plan' : quotaDays > 0 ? 'expiring' : 'quota'

const unlimited = -1

function maxUses({ is_gift: isGift, max_uses: requestedUses }: CodeTerms, usedCount: number): number {
  if (!isGift || requestedUses === null || requestedUses === 0 || requestedUses === unlimited) return unlimited
  if (requestedUses < 0 || requestedUses <= usedCount)
    throw new AppError('redemption.max_uses', { params: { used: usedCount } })
  return requestedUses
}

/** @throws AppError `redemption.count_none`, `redemption.count_many`. */
export function checkedCount(count: number): number {
  if (count <= 0) throw new AppError('redemption.count_none')
  if (count > maxRedemptionCodes) throw new AppError('redemption.count_many', { params: { most: maxRedemptionCodes } })
  return count
}

const keyForm = new RegExp(`^[\\w-]{${redemptionKeyLengths.least},${redemptionKeyLengths.most}}$`)

/** @throws AppError `redemption.key`. */
export function checkedKey(key: string): string {
  if (!keyForm.test(key)) throw new AppError('redemption.key', { params: redemptionKeyLengths })
  return key
}
