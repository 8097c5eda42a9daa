import { datesOf, isRetired, modelKey, vendorModels } from '@tollgate/models'
import type { Provider } from '@tollgate/providers'

import type { Context } from '../../context'

/** What a channel form suggests. */
interface SuggestedModels {
  /** The newest first, retired ones last. */
  readonly names: string[]
  readonly retired: { readonly name: string; readonly since: string | null }[]
}

/** Returns the models that the vendor's description names and those that the public lists have for it. */
export function suggestedModels({ id, models }: Pick<Provider, 'id' | 'models'>, today: string): SuggestedModels {
  const lower = new Set(models.map((name) => name.toLowerCase()))
  const names = newestFirst([...models, ...vendorModels(id).filter((name) => !lower.has(name.toLowerCase()))])
  const gone = names.filter((name) => isRetired(name, today, id))
  return {
    names: [...names.filter((name) => !isRetired(name, today, id)), ...gone],
    retired: gone.map((name) => ({ name, since: datesOf(name, id).retiresOn })),
  }
}

/** Returns today's date, as `2026-07-24`. */
export const dayOf = (clock: Context['clock']): string => new Date(clock.now()).toISOString().slice(0, 10)

interface Aged {
  readonly name: string
  /** Names with the same stem are versions of one model. */
  readonly stem: string
  readonly version: number
  readonly releasedOn: string | null
}

const afterAll = '9999'

function newestFirst(names: readonly string[]): string[] {
  const aged = names.map((name) => ({ name, ...versionOf(modelKey(name)), releasedOn: datesOf(name).releasedOn }))
  const ranks = new Map(aged.map((one) => [one.name, estimatedRelease(one, aged)]))
  return aged
    .toSorted((one, other) => descending(ranks, one, other) || other.version - one.version)
    .map(({ name }) => name)
}

const descending = (ranks: ReadonlyMap<string, string>, one: Aged, other: Aged): number =>
  (ranks.get(other.name) ?? '').localeCompare(ranks.get(one.name) ?? '')

/**
 * The newest models are the last to get a date in the lists. One without a date is dated like the version before it, and after all others
 * when it is the highest version. A model without versions is listed at the end.
 */
function estimatedRelease({ releasedOn, stem, version }: Aged, all: readonly Aged[]): string {
  if (releasedOn !== null) return releasedOn
  const dated = all.filter((one) => one.stem === stem && one.releasedOn !== null)
  if (stem === '' || dated.length === 0) return ''
  if (dated.every((one) => one.version < version)) return afterAll
  const earlier = dated.filter((one) => one.version <= version).toSorted((one, other) => other.version - one.version)
  return earlier[0]?.releasedOn ?? ''
}

/** `claude-opus-4-8` is version 4.08 of `claude-opus-`. Sizes, as in `ministral-8b` or `-32k`, are not versions. */
function versionOf(key: string): Pick<Aged, 'stem' | 'version'> {
  const [, stem = '', major, minor = '0'] = /^([a-z][a-z-]*?)-?(\d{1,2})(?:[.-](\d{1,2}))?(?![\dbk])/.exec(key) ?? []
  return major === undefined ? { stem: '', version: 0 } : { stem, version: Number(major) + Number(minor) / 100 }
}
