import type { OptionValues, Phrase, windowRoutes } from '@tollgate/contract'

import { shownQuota } from '../../billing/ledger/quota-text'
import { sentence } from '../../platform/locales/sentence'

/** A limit of which a share is used. */
export interface NearLimit {
  readonly name: string
  readonly percent: number
  readonly used: number
  readonly limit: number
  readonly measure: windowRoutes.WindowMeasure
  /** Unix seconds; null: it never begins anew. */
  readonly resetsAt: number | null
}

type Language = 'zh' | 'en'

/** Returns what notices say of a limit, in one language. */
export function limitValuesIn(
  { name, percent, used, limit, measure, resetsAt }: NearLimit,
  options: OptionValues,
  language: Language,
) {
  const amount = (value: number) =>
    measure === 'quota' ? shownQuota(value, options) : `${value} ${sentence(`measure.${measure}`, {}, language)}`
  const reset: Phrase =
    resetsAt === null
      ? { code: 'window.never_anew' }
      : {
          code: 'window.begins_anew',
          params: { time: `${new Date(resetsAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
        }
  return {
    name,
    percent: String(percent),
    used: amount(used),
    limit: amount(limit),
    reset: sentence(reset.code, reset.params ?? {}, language),
  }
}
