import { sql, type InsertQueryBuilder, type InsertResult } from 'kysely'

import type { Queries } from '../store/database'
import type { Tables } from '../store/tables'

/** Rows of packs whose records are added to those that are there. Rows must differ in their keys. */
export const appendPacks = (
  query: Queries,
  rows: readonly Tables['usage_packs'][],
): InsertQueryBuilder<Tables, 'usage_packs', InsertResult> =>
  query
    .insertInto('usage_packs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['pack', 'value', 'day']).doUpdateSet({
        // What SQLite puts together is a text of the same bytes, until it is told otherwise.
        records: sql<Uint8Array>`cast(usage_packs.records || excluded.records as tollgate_blob)`,
      }),
    )
