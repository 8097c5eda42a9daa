import { efforts, type Effort, type Thinking } from './call'

/** Tokens that stand for an effort where a dialect counts them, and the other way round. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
}

export const isEffort = (value: unknown): value is Effort => efforts.some((effort) => effort === value)

/** A number of tokens asks for no more than `xhigh`: `max` has no limit. */
const countable = efforts.filter((known) => known !== 'none' && known !== 'max')

/** The effort that was requested, or the least one whose tokens suffice for the budget; null for a model's own choice. */
export function effortOf({ isEnabled, effort, budgetTokens }: Thinking): Effort | null {
  if (!isEnabled) return 'none'
  if (effort !== null) return effort
  if (budgetTokens === null || budgetTokens < 0) return null
  return countable.find((known) => budgets[known] >= budgetTokens) ?? 'xhigh'
}

/** The tokens that were requested, or those that stand for the effort; null for a model's own choice. */
export function budgetOf({ isEnabled, effort, budgetTokens }: Thinking): number | null {
  if (!isEnabled) return 0
  if (budgetTokens !== null) return budgetTokens
  return effort === null ? null : budgets[effort]
}
