import { sql } from 'kysely'

import { matchingPattern } from '../store/like'
import type { Queries } from '../store/database'
import { isAmong, type UsageFilter } from '../store/usage-conditions'
import { spans } from './dimensions'
import type { Stretch } from './levels'
import { readRecords, type Users, type VisitRecord } from './user-records'

/** What packs answer. */
export interface PackAsked {
  /** On the column of the packs alone. */
  readonly filter: UsageFilter
  readonly stretch: Stretch
}

/** The packs of a stretch; those of days that are not whole hold records of other times, too. */
export interface PacksRead {
  readonly stretch: Stretch
  readonly packs: readonly { readonly day: number; readonly records: Uint8Array }[]
}

export async function readPacks(query: Queries, { filter, stretch }: PackAsked): Promise<PacksRead> {
  const packs = await query
    .selectFrom('usage_packs')
    .where('pack', '=', stretch.number)
    .where('day', '>', stretch.from - spans.day)
    .where('day', '<', stretch.before)
    .where((eb) => {
      const { modelName, modelNames, tokenName, channelId } = filter
      if (modelName?.includes('%')) return matchingPattern(eb.ref('value'), modelName)
      if (modelNames) return isAmong(eb.ref('value'), modelNames)
      return eb('value', '=', String(modelName ?? tokenName ?? channelId))
    })
    // Records that are appended to others are among them: a day is one row, however many values it has.
    .select(['day', sql<Uint8Array>`cast(string_agg(records, '') as tollgate_blob)`.as('records')])
    .groupBy('day')
    .execute()
  return { stretch, packs }
}

/** Each record of the stretch, of all users or of some. */
export function visitRecords({ stretch: { from, before }, packs }: PacksRead, visit: VisitRecord, users?: Users): void {
  const visitWithin: VisitRecord = (start, userId, amounts) => {
    if (start >= from && start < before) visit(start, userId, amounts)
  }
  for (const { day, records } of packs) {
    const isWhole = from <= day && day + spans.day <= before
    readRecords(records, day, isWhole ? visit : visitWithin, users)
  }
}
