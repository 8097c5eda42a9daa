import type { Queries } from '../../platform/store/database'
import { dimensions, type DimensionName } from './dimensions'

/** The database, and which hours are added up in it. */
export interface SumProgress {
  readonly query: Queries
  /** Returns the time, in seconds, before which hours are added up by a column, except stale ones. */
  readonly until: (column: DimensionName) => number
  /** Hours that were charged to after they had been added up, the oldest first. */
  readonly stale: readonly number[]
}

export async function readSumProgress(query: Queries): Promise<SumProgress> {
  const [progress, stale] = await Promise.all([
    query.selectFrom('sum_progress').select(['dimension', 'until']).execute(),
    query.selectFrom('stale_hours').select('hour').orderBy('hour').execute(),
  ])
  const untils = new Map(progress.map(({ dimension, until }) => [dimension, until]))
  return {
    query,
    until: (column) => untils.get(dimensions[column]) ?? 0,
    stale: stale.map(({ hour }) => hour),
  }
}
