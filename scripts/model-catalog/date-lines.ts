import { dayInName, modelKey, modelKeys, readDateLine, writeDateLine, type ModelDates } from '@tollgate/models'
import { makers, namesModel } from '@tollgate/models/lists'

import type { Listing } from './sources'

/**
 * Returns one line for each model of whose dates something is known, in the order of their names. The maker's word counts where
 * there is one. Where hosts alone list a model, it ends when the last of them stops serving it.
 */
export function dateLines(listings: readonly Listing[]): string[] {
  const byKey = Map.groupBy(listings.filter(namesModel), ({ name }) => modelKey(name))
  const datesByName = new Map<string, string>()
  for (const key of [...byKey.keys()].sort((one, other) => one.length - other.length)) {
    const dates = mergeListings(key, byKey.get(key) ?? [])
    const [, ...shorter] = modelKeys(key)
    const base = shorter.map((name) => datesByName.get(name)).find((line) => line !== undefined)
    if (!isKnown(dates, key, base)) continue
    datesByName.set(key, writeDateLine(key, dates))
  }
  return [...datesByName.values()].sort()
}

function mergeListings(key: string, all: readonly Listing[]): ModelDates {
  const own = all.filter(({ host }) => makers[host]?.test(key) === true)
  const found = own.length > 0 ? own : all
  const released = found.flatMap(({ releasedOn }) => releasedOn ?? []).sort()
  const ends = found.flatMap(({ retiresOn }) => retiresOn ?? []).sort()
  const dated = found.filter(({ knowsEnd }) => knowsEnd)
  const isWhole = own.length > 0 || ends.length === dated.length
  return {
    releasedOn: released[0] ?? null,
    retiresOn: (isWhole && ends.at(-1)) || null,
    isDeprecated: ends.length === 0 && own.some(({ isDeprecated }) => isDeprecated),
  }
}

/** The line says more than the name and the shorter name's line do. */
function isKnown(dates: ModelDates, key: string, base: string | undefined): boolean {
  const known = base === undefined ? null : readDateLine(base)
  const released = dayInName(key) ?? known?.releasedOn ?? null
  return (
    (dates.releasedOn !== null && dates.releasedOn !== released && dayInName(key) === null) ||
    dates.retiresOn !== (known?.retiresOn ?? null) ||
    dates.isDeprecated !== (known?.isDeprecated ?? false)
  )
}
