import { isNamedTimeZone, windowRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'

type Settings = windowRoutes.WindowSettings

interface Surroundings {
  readonly ctx: Pick<Context, 'catalog' | 'clock'>
  readonly owner: windowRoutes.WindowOwner
}

/** @throws AppError of the `window.` family for the first that cannot be. */
export function checkWindows(windows: readonly Settings[], { ctx, owner }: Surroundings): void {
  const { maxWindows } = windowRoutes
  if (windows.length > maxWindows) throw new AppError('window.many', { params: { limit: maxWindows } })
  const names = new Set<string>()
  for (const window of windows) {
    const { name } = window
    if (name === '' || names.has(name)) throw new AppError('window.name', { params: { name } })
    names.add(name)
    checkFigures(window)
    checkSpan(window, ctx.clock.seconds())
    checkModel(window, owner, ctx)
  }
}

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

function checkFigures({ name, limit, grace_percent: grace, alert_percents: alerts }: Settings): void {
  const { maxWindowLimit, maxGracePercent } = windowRoutes
  if (!isWhole(limit, 1, maxWindowLimit)) throw new AppError('window.limit', { params: { name, max: maxWindowLimit } })
  if (!isWhole(grace, 0, maxGracePercent))
    throw new AppError('window.grace', { params: { name, max: maxGracePercent } })
  const isFine = alerts.every((percent) => isWhole(percent, 1, 100)) && new Set(alerts).size === alerts.length
  if (!isFine) throw new AppError('window.alerts', { params: { name } })
}

/** What a span may count, where that is not everything but calls at the same time. */
const measuresOfSpan: Partial<Record<windowRoutes.WindowSpan, readonly windowRoutes.WindowMeasure[]>> = {
  call: ['quota', 'prompt_tokens', 'completion_tokens'],
  always: windowRoutes.windowMeasures,
}
const periodic = windowRoutes.windowMeasures.filter((measure) => measure !== 'concurrent')

function checkSpan(window: Settings, now: number): void {
  const { name, span, measure, seconds, starts_at: startsAt, ends_at: endsAt, time_zone: zone } = window
  const isAligned = span === 'call' || span === 'always' || span === 'range'
  if (!(measuresOfSpan[span] ?? periodic).includes(measure) || (isAligned && window.is_sliding))
    throw new AppError('window.span', { params: { name } })
  const { maxWindowSeconds } = windowRoutes
  if (span === 'seconds' ? !isWhole(seconds, 1, maxWindowSeconds) : seconds !== 0)
    throw new AppError('window.seconds', { params: { name, max: maxWindowSeconds } })
  if (span === 'range' ? endsAt <= startsAt || endsAt <= now || startsAt < 0 : startsAt !== 0 || endsAt !== 0)
    throw new AppError('window.range', { params: { name } })
  if (zone !== '' && !isNamedTimeZone(zone)) throw new AppError('window.zone', { params: { name, zone } })
}

/** A call cannot go on with another model where it is capped, or where the router goes on to another channel. */
function checkModel(
  { name, span, fallback_model: model }: Settings,
  owner: Surroundings['owner'],
  ctx: Surroundings['ctx'],
) {
  if (model === '') return
  const isServed = [...ctx.catalog.current.routes.values()].some((models) => models.has(model))
  if (!isServed || span === 'call' || owner === 'channel' || owner === 'channel_key')
    throw new AppError('window.model', { params: { name, model } })
}
