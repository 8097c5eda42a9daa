import { sumsByKey, type Figures, type SumsQuery } from './query'
import type { SumProgress } from './rollups'

type Ranked = readonly [key: string, figures: Figures]

/** Returns the largest by quota, then calls, then errors; the key only makes the order deterministic, lower ids first. */
export const rankTop = (sums: ReadonlyMap<string, Figures>, limit: number): Ranked[] =>
  [...sums]
    .toSorted(
      ([oneKey, one], [otherKey, other]) =>
        other.quota - one.quota ||
        other.count - one.count ||
        other.errors - one.errors ||
        oneKey.length - otherKey.length ||
        (oneKey < otherKey ? -1 : 1),
    )
    .slice(0, limit)

type RankingQuery = Required<Pick<SumsQuery, 'filter' | 'hours' | 'column'>>

/**
 * Resolves with the largest values of a column, of all that used `quota` together. Most users use very little: where that cannot make them
 * one of the largest, their rows are passed over, which is several times faster than adding them up.
 */
export async function readTopRanked(
  progress: SumProgress,
  rankingQuery: RankingQuery,
  { quota, limit }: { readonly quota: number; readonly limit: number },
): Promise<readonly Ranked[]> {
  const keys =
    rankingQuery.column === 'user_id'
      ? await candidates(progress, rankingQuery, quota * ignoredShare, limit)
      : undefined
  return rankTop(await sumsByKey(progress, { ...rankingQuery, keys }), limit)
}

const ignoredShare = 1 / 1000
const maxCandidates = 500

/**
 * Resolves with the values that may be among the largest, undefined where that could be any. In rows that are passed over no value used as
 * much as `ignored` in total, so what each used in the others is too low by less than that.
 */
async function candidates(
  progress: SumProgress,
  rankingQuery: RankingQuery,
  ignored: number,
  limit: number,
): Promise<string[] | undefined> {
  if (ignored <= 0) return undefined
  const { from, before } = rankingQuery.hours
  const sums = await sumsByKey(progress, { ...rankingQuery, minQuotaPerSecond: ignored / (before - from) })
  const minQuota = rankTop(sums, limit)[limit - 1]?.[1].quota
  if (minQuota === undefined || minQuota <= ignored) return undefined
  const found = [...sums].filter(([, figures]) => figures.quota + ignored >= minQuota).map(([key]) => key)
  return found.length <= maxCandidates ? found : undefined
}
