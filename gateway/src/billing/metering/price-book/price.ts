import type { PriceEntry } from '@tollgate/models'

/** The price of one model for one group, in force when the call is admitted. */
export interface Price {
  /** The sale price of the model, before any group's ratio. */
  readonly entry: PriceEntry
  readonly groupRatio: number
  /** The ratio of the caller's own group for the group in use, where one is set; it replaces the group's. */
  readonly userGroupRatio: number | null
  readonly quotaPerUnit: number
  /** No price was known and the caller agreed to pay the ceiling. */
  readonly assumed: boolean
  /** Returns the factor of a service tier or speed that the entry has no mode for; null where it is not sold. */
  readonly modeRatio: (tier: string) => number | null
}

/** Returns the group's factor on everything a call costs. */
export const groupFactor = ({ groupRatio, userGroupRatio }: Pick<Price, 'groupRatio' | 'userGroupRatio'>): number =>
  userGroupRatio ?? groupRatio
