import { isNamedTimeZone, windowRoutes, type ErrorCode, type PhraseParams } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { Context } from '../../../context'

type Settings = windowRoutes.WindowSettings

interface Surroundings {
  readonly ctx: Pick<Context, 'catalog' | 'clock'>
  readonly owner: windowRoutes.WindowOwner
}

/** @throws AppError of the `window.` family for the first that cannot be, with the place of its value. */
export function checkWindows(windows: readonly Settings[], { ctx, owner }: Surroundings): void {
  const { maxWindows } = windowRoutes
  if (windows.length > maxWindows) throw new AppError('window.many', { params: { limit: maxWindows } })
  const names = new Set<string>()
  const ids = windows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (new Set(ids).size < ids.length) throw new AppError('window.none')
  for (const [index, window] of windows.entries()) {
    const { name } = window
    const refuse: Refuse = (code, field, params = {}) => {
      throw new AppError(code, { params: { name, ...params }, envelopeFields: { field: `windows.${index}.${field}` } })
    }
    if (name === '' || names.has(name)) refuse('window.name', 'name')
    names.add(name)
    checkFigures(window, refuse)
    checkSpan(window, { owner, now: ctx.clock.seconds() }, refuse)
    checkModel(window, { ctx, owner }, refuse)
  }
}

type Refuse = (code: ErrorCode, field: keyof Settings, params?: PhraseParams) => void

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

function checkFigures({ limit, grace_percent: grace, alert_percents: alerts }: Settings, refuse: Refuse): void {
  const { maxWindowLimit, maxGracePercent } = windowRoutes
  if (!isWhole(limit, 1, maxWindowLimit)) refuse('window.limit', 'limit', { max: maxWindowLimit })
  if (!isWhole(grace, 0, maxGracePercent)) refuse('window.grace', 'grace_percent', { max: maxGracePercent })
  const isFine = alerts.every((percent) => isWhole(percent, 1, 100)) && new Set(alerts).size === alerts.length
  if (!isFine) refuse('window.alerts', 'alert_percents')
}

/** What a span may count, where that is not everything but calls at the same time. */
const measuresOfSpan: Partial<Record<windowRoutes.WindowSpan, readonly windowRoutes.WindowMeasure[]>> = {
  call: ['quota', 'prompt_tokens', 'completion_tokens'],
  always: windowRoutes.windowMeasures,
}
const periodic = windowRoutes.windowMeasures.filter((measure) => measure !== 'concurrent')

interface SpanChecked {
  readonly owner: windowRoutes.WindowOwner
  readonly now: number
}

/** Calls that a plan does not cover are paid by others, so that it caps none. */
function checkSpan(window: Settings, { owner, now }: SpanChecked, refuse: Refuse): void {
  const { span, measure, seconds, starts_at: startsAt, ends_at: endsAt, time_zone: zone } = window
  const isAligned = span === 'call' || span === 'always' || span === 'range'
  const isCapOfPlan = span === 'call' && owner === 'plan'
  if (isCapOfPlan || !(measuresOfSpan[span] ?? periodic).includes(measure) || (isAligned && window.is_sliding))
    refuse('window.span', 'span')
  const { minWindowSeconds: min, maxWindowSeconds: max } = windowRoutes
  if (span === 'seconds' ? !isWhole(seconds, min, max) : seconds !== 0)
    refuse('window.seconds', 'seconds', { min, max })
  if (span === 'range' ? endsAt <= startsAt || endsAt <= now || startsAt < 0 : startsAt !== 0 || endsAt !== 0)
    refuse('window.range', 'ends_at')
  if (zone !== '' && !isNamedTimeZone(zone)) refuse('window.zone', 'time_zone', { zone })
}

/** A call cannot go on with another model where it is capped, or where the router goes on to another channel. */
function checkModel({ span, fallback_model: model }: Settings, { ctx, owner }: Surroundings, refuse: Refuse): void {
  if (model === '') return
  const { routes, siteModels } = ctx.catalog.current
  const isServed = siteModels?.aliases.has(model) === true || [...routes.values()].some((models) => models.has(model))
  if (!isServed || span === 'call' || owner === 'channel' || owner === 'channel_key')
    refuse('window.model', 'fallback_model', { model })
}
