/** The price of one model for one group, pinned when the call is admitted. */
export type Price = PerToken | PerCall

export interface Ratios {
  /** 1 is 2 USD for a million prompt tokens, that is one quota a token. */
  readonly model: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteHour: number
  readonly image: number
  readonly audio: number
  readonly audioCompletion: number
}

/** US dollars for a thousand calls of a vendor's built-in tools. */
export interface ToolPrices {
  readonly webSearch: number
  readonly fileSearch: number
}

interface GroupPart {
  readonly groupRatio: number
  /** The ratio of the caller's own group for the group in use, where one is set; it replaces the group's. */
  readonly userGroupRatio: number | null
  readonly quotaPerUnit: number
  /** Of the service tier that was asked for, on everything that the call costs. */
  readonly tierRatio?: number
  readonly tools: ToolPrices
}

export interface PerToken extends GroupPart {
  readonly kind: 'per-token'
  readonly ratios: Ratios
  /** No price was known and the caller agreed to pay the ceiling. */
  readonly assumed: boolean
}

export interface PerCall extends GroupPart {
  readonly kind: 'per-call'
  /** US dollars for one call. */
  readonly usd: number
}

/** The group's factor on everything a call costs. */
export const groupFactor = ({ groupRatio, userGroupRatio }: Pick<Price, 'groupRatio' | 'userGroupRatio'>): number =>
  userGroupRatio ?? groupRatio

/** Whatever multiplies all that a call costs. */
export const commonFactors = (price: Price): readonly number[] => [groupFactor(price), price.tierRatio ?? 1]
