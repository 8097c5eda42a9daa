import { modelFamilyOf } from '@tollgate/models'

import type { Candidate, Catalog, PriorityLevel } from '../catalog/catalog'

const noLevels: readonly PriorityLevel[] = []

/** Returns the channels that serve a model for a group, highest priority level first. */
export function priorityLevelsOf(
  catalog: Pick<Catalog, 'routes'>,
  group: string,
  model: string,
): readonly PriorityLevel[] {
  const models = catalog.routes.get(group)
  if (!models) return noLevels
  return models.get(model) ?? familyOf(models, model)
}

const latest = ':latest'

/**
 * Returns the name under which a group is served the model that a client names. Ollama's clients add the tag `:latest` to names without
 * one; it counts only where a model of that name exists, or none without it.
 */
export function servedName(named: string, group: string, catalog: Catalog): string {
  if (!named.endsWith(latest) || isNamed(catalog, group, named)) return named
  const plain = named.slice(0, -latest.length)
  return isNamed(catalog, group, plain) ? plain : named
}

/** Returns whether a name is that of an alias, or of a model that the group is served. */
const isNamed = (catalog: Catalog, group: string, name: string): boolean =>
  catalog.siteModels?.aliases.has(name) === true || priorityLevelsOf(catalog, group, name).length > 0

/** Returns the name a model is billed under, without the prefix of the channels that serve it; null when none does. */
export function bareModel(catalog: Catalog, group: string, model: string): string | null {
  return priorityLevelsOf(catalog, group, model)[0]?.candidates[0]?.model ?? null
}

function familyOf(models: ReadonlyMap<string, readonly PriorityLevel[]>, model: string): readonly PriorityLevel[] {
  const family = modelFamilyOf(model)
  const levels = family && models.get(model.slice(0, family.start) + family.entry)
  if (!levels) return noLevels
  return levels.map((level) => ({ ...level, candidates: level.candidates.map(withModel(model.slice(family.start))) }))
}

const withModel =
  (model: string) =>
  (candidate: Candidate): Candidate => ({ ...candidate, model })
