import { useForm, type UseFormReturnType } from '@mantine/form'
import { windowRoutes } from '@tollgate/contract'
import dayjs from 'dayjs'

import { isTypedAmount } from '../../components/fields/money-input'
import { pickerTime } from '../../components/fields/time-field'
import { useTranslation } from '../../lib/text/i18n'
import { nowSeconds } from '../../lib/text/use-now'
import { useSpan } from '../../lib/text/use-span'
import type { LimitSettings } from './limits-data'
import { isOfChannel, useLimitText } from './use-limit-text'

type Measure = windowRoutes.WindowMeasure
type Span = windowRoutes.WindowSpan
type Owner = windowRoutes.WindowOwner

/** A limit as it is typed. Fields have the names of the call, so that refusals find them. */
export interface LimitValues {
  readonly key: string
  id?: number
  /** Empty: the proposed one. */
  name: string
  measure: Measure
  /** In quota units for money. */
  limit: number | string
  span: Span
  seconds: string
  /** Texts of date pickers, in the reader's time zone. */
  starts_at: string | null
  ends_at: string | null
  is_sliding: boolean
  /** Null: that of the site. */
  time_zone: string | null
  grace_percent: number | string
  fallback_model: string | null
  alert_percents: number[]
  alerts_operators: boolean
}

interface LimitsValues {
  windows: LimitValues[]
}

export type LimitsForm = UseFormReturnType<LimitsValues>

export const newLimit = (owner: Owner): LimitValues => ({
  key: crypto.randomUUID(),
  name: '',
  measure: 'requests',
  limit: '',
  span: isOfChannel(owner) ? 'minute' : 'day',
  seconds: '3600',
  starts_at: null,
  ends_at: null,
  is_sliding: false,
  time_zone: null,
  grace_percent: 0,
  fallback_model: null,
  alert_percents: [],
  alerts_operators: false,
})

const timeOrNull = (at: number): string | null => (at > 0 ? pickerTime(at) : null)

const valuesOf = (settings: LimitSettings): LimitValues => ({
  ...settings,
  key: String(settings.id),
  seconds: settings.span === 'seconds' ? String(settings.seconds) : '3600',
  starts_at: timeOrNull(settings.starts_at),
  ends_at: timeOrNull(settings.ends_at),
  time_zone: settings.time_zone || null,
  fallback_model: settings.fallback_model || null,
})

/** Returns what is sent of a limit: only what its length has. */
export function settingsOf(values: LimitValues, name: string): LimitSettings {
  const { key: _key, span, seconds, starts_at: from, ends_at: to, time_zone: zone, ...others } = values
  const isRange = span === 'range'
  return {
    ...others,
    name,
    span,
    limit: Number(values.limit),
    seconds: span === 'seconds' ? Number(seconds) : 0,
    starts_at: isRange ? dayjs(from).unix() : 0,
    ends_at: isRange ? dayjs(to).unix() : 0,
    is_sliding: mayStartWithCall(values) && values.is_sliding,
    time_zone: zone ?? '',
    grace_percent: Number(values.grace_percent),
    fallback_model: mayFallBack(values) ? (values.fallback_model ?? '') : '',
    alerts_operators: values.alert_percents.length > 0 && values.alerts_operators,
  }
}

/** What a single call can be capped by. */
const perCall: ReadonlySet<Measure> = new Set(['quota', 'prompt_tokens', 'completion_tokens'])

/** Returns the lengths that a limit of this kind may have. */
export function spansFor(measure: Measure, owner: Owner): readonly Span[] {
  if (measure === 'concurrent') return ['always']
  const mayCap = perCall.has(measure) && !isOfChannel(owner) && owner !== 'plan'
  return windowRoutes.windowSpans.filter((span) => span !== 'call' || mayCap)
}

type Shape = Pick<LimitValues, 'span' | 'measure'>

export const mayStartWithCall = ({ span }: Shape): boolean => !['call', 'range', 'always'].includes(span)
export const mayFallBack = ({ span, measure }: Shape): boolean => span !== 'call' && measure !== 'concurrent'
/** Whether its periods follow a calendar, and so a time zone. */
export const hasCalendar = ({ span, is_sliding: isSliding }: LimitValues): boolean =>
  span === 'month' || ((span === 'day' || span === 'week') && !isSliding)

/** Whether an edit makes it a limit that starts over: what it counts or its length differ. */
export function startsOver(before: LimitSettings | undefined, after: LimitValues): boolean {
  if (!before) return false
  const sent = settingsOf(after, before.name)
  return (
    sent.measure !== before.measure ||
    sent.span !== before.span ||
    sent.seconds !== before.seconds ||
    sent.starts_at !== before.starts_at ||
    sent.ends_at !== before.ends_at ||
    sent.is_sliding !== before.is_sliding ||
    sent.time_zone !== before.time_zone
  )
}

/** Returns a function that proposes the name of a limit from what it counts and its length. */
export function useProposedName(owner: Owner): (values: LimitValues) => string {
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const length = useSpan()
  return ({ measure, span, seconds }) => {
    const kind = measure === 'concurrent' ? 'concurrent' : span
    const name = t(`name.${kind}`, { measure: text.measure(measure, owner), length: length(Number(seconds) || 0) })
    return name.replaceAll(/(\p{Script=Han})(?=[\w])/gu, '$1 ')
  }
}

/** Returns the names of limits as they are sent: typed, or proposed and numbered where several would have the same. */
export function namesOf(windows: readonly LimitValues[], propose: (values: LimitValues) => string): readonly string[] {
  const taken = new Set(windows.map(({ name }) => name.trim()).filter(Boolean))
  return windows.map((values) => {
    const typed = values.name.trim()
    if (typed !== '') return typed
    const proposed = propose(values)
    let name = proposed
    for (let number = 2; taken.has(name); number += 1) name = `${proposed} ${number}`
    taken.add(name)
    return name
  })
}

type Fault = readonly [
  field: keyof LimitValues,
  fault: 'limit' | 'money' | 'seconds' | 'time' | 'range' | 'grace_percent',
]

const isWhole = (value: number | string, min: number, max: number): boolean =>
  isTypedAmount(value) && Number.isInteger(Number(value)) && Number(value) >= min && Number(value) <= max

/** Returns what is wrong with a limit, as the server would refuse it. */
export function faultsOf(values: LimitValues, now: number): readonly Fault[] {
  const { measure, limit, span, seconds, starts_at: from, ends_at: to, grace_percent: grace } = values
  const { maxWindowLimit, minWindowSeconds, maxWindowSeconds, maxGracePercent } = windowRoutes
  const faults: Fault[] = []
  if (!isWhole(limit, 1, maxWindowLimit)) faults.push(['limit', measure === 'quota' ? 'money' : 'limit'])
  if (span === 'seconds' && !isWhole(seconds, minWindowSeconds, maxWindowSeconds)) faults.push(['seconds', 'seconds'])
  if (span === 'range') {
    if (!from) faults.push(['starts_at', 'time'])
    const end = to ? dayjs(to).unix() : 0
    if (end <= now || (from && end <= dayjs(from).unix())) faults.push(['ends_at', 'range'])
  }
  if (!isWhole(grace, 0, maxGracePercent)) faults.push(['grace_percent', 'grace_percent'])
  return faults
}

/** The form of all limits of an owner. */
export function useLimitsForm(windows: readonly LimitSettings[]): LimitsForm {
  const { t } = useTranslation('limits')
  return useForm<LimitsValues>({
    initialValues: { windows: windows.map(valuesOf) },
    validate: (values) => {
      const errors: Record<string, string> = {}
      const names = values.windows.map(({ name }) => name.trim())
      for (const [index, window] of values.windows.entries()) {
        for (const [field, fault] of faultsOf(window, nowSeconds()))
          errors[`windows.${index}.${field}`] = t(`fault.${fault}`, {
            max: windowRoutes.maxWindowLimit.toLocaleString('en'),
          })
        const name = names[index]
        if (name && names.indexOf(name) < index) errors[`windows.${index}.name`] = t('fault.name')
      }
      return errors
    },
  })
}
