import { sql } from 'kysely'
import { z } from 'zod'

import { readNote } from './site-notes'
import type { Queries } from './database'

const note = 'log-kept-since'

/** Resolves with the moment (seconds) since which no row of a call was removed from the usage log. */
export const logKeptSince = async (query: Queries): Promise<number> => (await readNote(query, note, z.number())) ?? 0

/** Notes that rows older than `before` (seconds) are about to be removed. Of simultaneous removals the latest moment counts. */
export async function noteRemoval(query: Queries, before: number): Promise<void> {
  await sql`insert into site_notes (name, value, updated_at) values (${note}, ${String(before)}, ${before})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
    where cast(site_notes.value as bigint) < cast(excluded.value as bigint)`.execute(query)
}
