import { modelKey, modelKeys, writeEntry, type ModelEntry } from '@tollgate/models'

import { makers, namesModel } from '@tollgate/models/lists'

import type { Listing } from './sources'

/**
 * Merges what the sources say into one line a model, in the order of their names. The maker's word counts where there is
 * one; among equals the largest limit, so that no caller is held to less than a host allows.
 */
export function catalogLines(listings: readonly Listing[]): string[] {
  const byKey = new Map<string, Listing[]>()
  for (const listing of listings) {
    if (!namesModel(listing)) continue
    const key = modelKey(listing.name)
    byKey.set(key, [...(byKey.get(key) ?? []), listing])
  }
  const entries = new Map([...byKey].map(([key, found]) => [key, mergeListings(key, found)]))
  return [...entries.values()]
    .filter((entry) => isKnown(entry) && !isRepeated(entry, entries))
    .map(writeEntry)
    .sort()
}

function mergeListings(name: string, all: readonly Listing[]): ModelEntry {
  const own = all.filter(({ host }) => makers[host]?.test(name) === true)
  const found = own.some(hasLimits) ? own : all
  const inputTokens = maxOf(found.map((listing) => listing.inputTokens))
  const contextTokens = maxOf([inputTokens, ...found.map((listing) => listing.contextTokens)])
  const [first] = found
  return {
    name,
    kind: found.find(({ kind }) => kind !== 'chat')?.kind ?? first?.kind ?? 'other',
    contextTokens,
    inputTokens: inputTokens === contextTokens ? null : inputTokens,
    outputTokens: maxOf(found.map((listing) => listing.outputTokens)),
    input: union(found.map(({ input }) => input)),
    output: union(found.map(({ output }) => output)),
    abilities: union(found.map(({ abilities }) => abilities)),
  }
}

const hasLimits = ({ contextTokens, inputTokens }: Listing): boolean => contextTokens !== null || inputTokens !== null

const maxOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const union = <Value>(lists: readonly (readonly Value[])[]): Value[] => [...new Set(lists.flat())]

const isKnown = ({ contextTokens, outputTokens, kind }: ModelEntry): boolean =>
  contextTokens !== null || outputTokens !== null || kind !== 'chat'

/** A snapshot or a host's variant that gives as much as the model it is one of. */
function isRepeated(entry: ModelEntry, entries: ReadonlyMap<string, ModelEntry>): boolean {
  const [, ...shorter] = modelKeys(entry.name)
  const base = shorter.map((key) => entries.get(key)).find((found) => found !== undefined && isKnown(found))
  if (base === undefined || base.kind !== entry.kind) return false
  return entry.outputTokens === null || entry.outputTokens === base.outputTokens
}
