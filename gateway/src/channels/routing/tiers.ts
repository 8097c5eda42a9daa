import { modelFamilyOf } from '@tollgate/models'

import type { Candidate, Catalog, Tier } from '../catalog/catalog'

const noTiers: readonly Tier[] = []

/** Returns the channels that serve a model for a group, highest tier first. */
export function tiersOf(catalog: Catalog, group: string, model: string): readonly Tier[] {
  const models = catalog.routes.get(group)
  if (!models) return noTiers
  return models.get(model) ?? familyOf(models, model)
}

const latest = ':latest'

/**
 * Returns the name under which a group is served the model that a client names. Ollama's clients add the tag `:latest` to names without
 * one; it counts only where a model of that name exists, or none without it.
 */
export function servedName(named: string, group: string, catalog: Catalog): string {
  if (!named.endsWith(latest) || tiersOf(catalog, group, named).length > 0) return named
  const plain = named.slice(0, -latest.length)
  return tiersOf(catalog, group, plain).length > 0 ? plain : named
}

/** Returns the name a model is billed under, without the prefix of the channels that serve it; null when none does. */
export function bareModel(catalog: Catalog, group: string, model: string): string | null {
  return tiersOf(catalog, group, model)[0]?.candidates[0]?.model ?? null
}

function familyOf(models: ReadonlyMap<string, readonly Tier[]>, model: string): readonly Tier[] {
  const family = modelFamilyOf(model)
  const tiers = family && models.get(model.slice(0, family.start) + family.entry)
  if (!tiers) return noTiers
  return tiers.map((tier) => ({ ...tier, candidates: tier.candidates.map(withModel(model.slice(family.start))) }))
}

const withModel =
  (model: string) =>
  (candidate: Candidate): Candidate => ({ ...candidate, model })
