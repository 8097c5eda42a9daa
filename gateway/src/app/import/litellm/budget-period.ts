import type { windowRoutes } from '@tollgate/contract'

export type Period = Pick<windowRoutes.WindowSettings, 'span' | 'seconds'>

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 7 * 86_400,
  mo: 30 * 86_400,
}

/** Periods that begin at midnight, on Monday and on the first, as LiteLLM's do. */
const calendar: Readonly<Record<number, windowRoutes.WindowSpan>> = {
  86_400: 'day',
  [7 * 86_400]: 'week',
  [30 * 86_400]: 'month',
}

/** Returns the period of a budget, as `30d`; null: it never begins anew. https://docs.litellm.ai/docs/proxy/users */
export function budgetPeriod(duration: string): Period | null {
  const [, count = '', unit = ''] = /^(\d{1,9})(s|mo|m|h|d|w)$/.exec(duration) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  if (seconds <= 0) return null
  const span = calendar[seconds]
  return span ? { span, seconds: 0 } : { span: 'seconds', seconds }
}
