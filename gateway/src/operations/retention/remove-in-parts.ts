import type { systemRoutes } from '@tollgate/contract'

import type { Pace } from '../../platform/store/pace'
import type { Queries } from '../../platform/store/database'

/** Rows that a part removed, and the time of the latest of them. */
export interface Part {
  readonly count: number
  readonly reached: number
}

export interface Removal {
  readonly pace: Pace
  /** In a part; each may be large. */
  readonly maxRows?: number
  /** Rows older than this (seconds) go. */
  readonly before: number
  /** Ends it between two parts. */
  readonly isOver: () => boolean
  readonly onProgress?: (progress: systemRoutes.JobProgress) => void
}

export interface Removed {
  readonly count: number
  /** False: it was ended before. */
  readonly isDone: boolean
}

/** Removes the oldest rows a part at a time. How far it has come is told by their age: counting them first would hold up calls. */
export async function removeInParts(
  { pace, maxRows = Infinity, before, isOver, onProgress }: Removal,
  removePart: (rows: number) => Promise<Part>,
): Promise<Removed> {
  let count = 0
  for (let began: number | undefined; !isOver();) {
    const rows = Math.min(pace.rows, maxRows)
    const part = await pace.part(() => removePart(rows))
    count += part.count
    if (part.count < rows) return { count, isDone: true }
    began ??= part.reached
    const percent = Math.floor((100 * (part.reached - began)) / Math.max(before - began, 1))
    onProgress?.({ removed: count, percent: Math.min(Math.max(percent, 0), 100) })
  }
  return { count, isDone: false }
}

/** Returns what a part removed, by the times of its rows. */
export const partOf = (times: readonly number[]): Part => ({
  count: times.length,
  reached: times.reduce((latest, time) => Math.max(latest, time), 0),
})

/** Removes rows of the audit log. The database refuses it for those of the last ninety days. */
export const removeAudit = (query: Queries, removal: Removal): Promise<Removed> =>
  removeInParts(removal, (rows) => removeOldest(query, removal.before, rows))

async function removeOldest(query: Queries, before: number, limit: number): Promise<Part> {
  const rows = await query
    .deleteFrom('audit_log')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_log')
        .select('id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit),
    )
    .returning('created_at')
    .execute()
  return partOf(rows.map(({ created_at: at }) => at))
}
