import { sql } from 'kysely'
import type { z } from 'zod'

import type { Queries, Transaction } from './database'

/** The gateway's notes on its own work, a JSON value under each name: last runs of jobs, the level of the log, … */
export interface SiteNote {
  readonly name: string
  readonly value: unknown
}

/** Prefix of the notes on the last runs of periodic jobs. */
export const jobNote = 'job:'

/** When the gateway was first started, in Unix seconds. */
export const setupOpenedNote = 'setup-opened'

/** The last request of a proxy that is not trusted. */
export const untrustedProxyNote = 'untrusted-proxy'

/** The set-up code is asked of everyone. */
export const setupClosedNote = 'setup-closed'

/** The level of the log that was set at run time. */
export const logLevelNote = 'log-level'

/** Upserts notes in one statement. */
export async function writeNotes(
  query: Queries | Transaction,
  notes: readonly SiteNote[],
  nowMs: number,
): Promise<void> {
  if (notes.length === 0) return
  const updatedAt = Math.floor(nowMs / 1000)
  await query
    .insertInto('site_notes')
    .values(notes.map(({ name, value }) => ({ name, value: JSON.stringify(value), updated_at: updatedAt })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: updatedAt })),
    )
    .execute()
}

/** Writes a note unless there is one of that name. */
export async function writeFirstNote(query: Queries, { name, value }: SiteNote, nowMs: number): Promise<void> {
  await query
    .insertInto('site_notes')
    .values({ name, value: JSON.stringify(value), updated_at: Math.floor(nowMs / 1000) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Writes a note that is a number, unless a larger one is there. */
export async function raiseNote(query: Queries, name: string, value: number, nowMs: number): Promise<void> {
  const updatedAt = Math.floor(nowMs / 1000)
  await sql`insert into site_notes (name, value, updated_at) values (${name}, ${String(value)}, ${updatedAt})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
    where cast(site_notes.value as bigint) < cast(excluded.value as bigint)`.execute(query)
}

/** Resolves with a note; null when there is none, or one of another release that cannot be read. */
export async function readNote<Value>(query: Queries, name: string, schema: z.ZodType<Value>): Promise<Value | null> {
  const row = await query.selectFrom('site_notes').select('value').where('name', '=', name).executeTakeFirst()
  return row ? parseOrNull(row.value, schema) : null
}

/** Resolves with all notes whose names have this prefix, a word and a colon, without those that cannot be read. */
export async function readNotes<Value>(query: Queries, prefix: string, schema: z.ZodType<Value>): Promise<Value[]> {
  const rows = await query
    .selectFrom('site_notes')
    .select('value')
    .where('name', 'like', `${prefix}%`)
    .orderBy('name')
    .execute()
  return rows.flatMap(({ value }) => parseOrNull(value, schema) ?? [])
}

function parseOrNull<Value>(text: string, schema: z.ZodType<Value>): Value | null {
  return schema.safeParse(JSON.parse(text)).data ?? null
}
