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

/** A session in which nothing was said. */
export function newSession({ userId, models, settings, now }: NewSession): Session {
  const lanes = lanesOf(models.length > 0 ? models : [''], newId)
  return { id: newId(), userId, title: '', createdAt: now, updatedAt: now, settings, lanes, turns: [], chosen: {} }
}

/** The specification's model to start with. */
const favouriteModel = 'gpt-4o-mini'

/** Models to start with: those wanted as far as the reader may use them, else the favourite, else the first there is. */
export function startingModels(wanted: readonly string[], usable: readonly string[]): readonly string[] {
  const known = wanted.filter((model) => usable.includes(model))
  if (known.length > 0) return known
  return usable.includes(favouriteModel) ? [favouriteModel] : usable.slice(0, 1)
}
