import type { windowRoutes } from '@tollgate/contract'

import { formatCompact, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { useSpan } from '../../lib/text/use-span'
import type { LimitSettings } from './limits-data'

type Measure = windowRoutes.WindowMeasure

const largeLimit = 10_000

/** Returns the words for limits. */
export function useLimitText() {
  const { t } = useTranslation('limits')
  const { money, number } = useFormat()
  const span = useSpan()
  /** "$5.00", "10 calls". */
  const amount = (measure: Measure, value: number) =>
    measure === 'quota' ? money(value) : t(`amount.${measure}`, { count: value })
  return {
    amount,
    /** What is counted: for channels, quota is what they cost. */
    measure: (measure: Measure, owner: windowRoutes.WindowOwner) =>
      t(`measure.${measure === 'quota' && isOfChannel(owner) ? 'cost' : measure}`),
    /** "3 of 10 calls left". */
    left: (measure: Measure, used: number, limit: number) => {
      const left = Math.max(0, limit - used)
      return t('left', { left: measure === 'quota' ? money(left) : number(left), limit: amount(measure, limit) })
    },
    /** The same for a narrow cell: large numbers are rounded, and stand without a unit. */
    shortLeft: (measure: Measure, used: number, limit: number) => {
      const left = Math.max(0, limit - used)
      if (measure === 'quota') return t('left', { left: money(left), limit: money(limit) })
      const isLarge = limit >= largeLimit
      return t('left', {
        left: isLarge ? formatCompact(left) : number(left),
        limit: isLarge ? formatCompact(limit) : amount(measure, limit),
      })
    },
    /** "10 calls per day", "$5.00 of usage per day". */
    summary: ({ measure, limit, span: length, seconds, starts_at: from, ends_at: to }: LimitSettings) => {
      const limited = measure === 'quota' ? t('amount.quota', { amount: money(limit) }) : amount(measure, limit)
      if (measure === 'concurrent') return limited
      return t(`summary.${length}`, {
        amount: limited,
        length: span(seconds),
        from: formatTime(from),
        to: formatTime(to),
      })
    },
    /** What is special about a limit. */
    notes: (settings: LimitSettings): readonly string[] => [
      ...(settings.is_sliding ? [t('note.sliding')] : []),
      ...(settings.time_zone === '' ? [] : [settings.time_zone.replaceAll('_', ' ')]),
      ...(settings.grace_percent > 0 ? [t('note.grace', { percent: settings.grace_percent })] : []),
      ...(settings.fallback_model === '' ? [] : [t('note.fallback', { model: settings.fallback_model })]),
      ...(settings.alert_percents.length > 0
        ? [t('note.alerts', { percents: settings.alert_percents.toSorted((one, other) => one - other).join(', ') })]
        : []),
    ],
  }
}

export const isOfChannel = (owner: windowRoutes.WindowOwner): boolean => owner === 'channel' || owner === 'channel_key'
