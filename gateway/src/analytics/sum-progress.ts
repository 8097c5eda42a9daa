import { sql } from 'kysely'

import type { Queries } from '../store/database'
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
    query
      .selectFrom('sum_progress')
      .select(['dimension', 'until', isOutdated.as('is_outdated')])
      .execute(),
    query.selectFrom('stale_hours').select('hour').orderBy('hour').execute(),
  ])
  const untils = new Map(
    progress.map(({ dimension, until, is_outdated: outdated }) => [dimension, outdated ? 0 : until]),
  )
  return {
    query,
    until: (column) => untils.get(dimensions[column]) ?? 0,
    stale: stale.map(({ hour }) => hour),
  }
}

/** A worker of an earlier release, which marks no hour as stale. Workers of this release have -1. */
const earlierWorker = sql`select 1 from workers where adds_pairs >= 0`

/** Such a worker is running, or added up hours in the tables of its release since this one last checked. */
export const isOutdated = sql<number | boolean>`(exists (${earlierWorker})
  or exists (select 1 from usage_folds where until > 0))`

/** Resolves with whether a worker of an earlier release is running. */
export async function hasEarlierWorker(query: Queries): Promise<boolean> {
  const { rows } = await sql`${earlierWorker} limit 1`.execute(query)
  return rows.length > 0
}
