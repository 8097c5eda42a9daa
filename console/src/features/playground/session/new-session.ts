import { newId } from './new-id'
import { lanesOf, type Session } from './session'
import type { Settings } from './settings'

interface NewSession {
  readonly userId: number
  readonly models: readonly string[]
  readonly settings: Settings
  /** Unix milliseconds. */
  readonly now: number
}

/** Returns an empty session. */
export function newSession({ userId, models, settings, now }: NewSession): Session {
  const lanes = lanesOf(models.length > 0 ? models : [''], newId)
  return { id: newId(), userId, title: '', createdAt: now, updatedAt: now, settings, lanes, turns: [], chosen: {} }
}

/** The specification's default model. */
const favouriteModel = 'gpt-4o-mini'

interface SessionOptions {
  /** Models used before, or the requested one. */
  readonly models: readonly string[]
  /** The reader requested the model, so that another group is better than another model. */
  readonly isNamed: boolean
  /** The group used before; empty for the reader's own. */
  readonly group: string
}

interface Usable {
  readonly models: readonly string[]
  readonly groups: Readonly<Record<string, unknown>>
  readonly ownGroup: string
  readonly isServed: (model: string, group: string) => boolean
}

export interface Start {
  readonly models: readonly string[]
  /** Empty: the reader's own. */
  readonly group: string
}

/**
 * Returns the initial models, all served by the group: the wanted ones, or else the default, or else the first. A requested or only model
 * is used in a group that serves it.
 */
export function startingPoint(request: SessionOptions, usable: Usable): Start {
  const group = usable.groups[request.group] ? request.group : ''
  const served = usable.models.filter((model) => usable.isServed(model, group || usable.ownGroup))
  const required = request.models.filter((model) => served.includes(model))
  if (required.length > 0) return { models: required, group }
  const named = request.isNamed ? request.models.find((model) => usable.models.includes(model)) : undefined
  if (named !== undefined) return elsewhere(named, usable)
  if (served.includes(favouriteModel)) return { models: [favouriteModel], group }
  const [first] = served
  if (first !== undefined) return { models: [first], group }
  const [any] = usable.models
  return any === undefined ? { models: [], group } : elsewhere(any, usable)
}

const elsewhere = (model: string, { groups, isServed }: Usable): Start => ({
  models: [model],
  group: Object.keys(groups).find((name) => isServed(model, name)) ?? '',
})
