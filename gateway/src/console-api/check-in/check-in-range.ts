import type { OptionValues } from '@tollgate/contract'

type Options = Pick<OptionValues, 'CheckInQuota' | 'CheckInMaxQuota'>

/** Returns the range of a check-in's quota; a maximum that is not above the minimum is ignored. */
export const rangeOf = ({ CheckInQuota: min, CheckInMaxQuota: max }: Options) => ({
  min,
  max: Math.max(min, max),
})
