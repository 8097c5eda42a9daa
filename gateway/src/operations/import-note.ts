import { z } from 'zod'

import type { Queries, Transaction } from '../../platform/store/database'
import { readNote, writeNotes } from '../../platform/store/site-notes'
import { ImportError } from './import-error'

const noteName = 'import'

/** What was imported, and how far its log is. */
const ImportNote = z.object({
  product: z.string(),
  /** Identifies the source, without saying where it is. */
  source: z.string(),
  /** Unix seconds: everything that is older is of the source. */
  at: z.int(),
  /** Log rows from this moment on were imported; null: none were. */
  logsFrom: z.int().nullable(),
})
export type ImportNote = z.output<typeof ImportNote>

/** Prefix of the counter for what invitations had earned an imported user, followed by the user's id. */
export const earningsPrefix = 'imported-earnings:'

/** Resolves with the import of this gateway; null: there was none. */
export const readImport = (query: Queries | Transaction): Promise<ImportNote | null> =>
  readNote(query, noteName, ImportNote)

export const keepImport = (query: Queries | Transaction, note: ImportNote): Promise<void> =>
  writeNotes(query, [{ name: noteName, value: note }], note.at * 1000)

/** Tables whose ids are kept, which must be free. */
const tables = ['users', 'tokens', 'channels', 'redemption_codes'] as const

/**
 * Resolves with the import that this gateway has of this source; null where it is empty.
 * @throws ImportError where it has something else: ids of the source would be taken.
 */
export async function earlierImport(query: Queries, identity: string): Promise<ImportNote | null> {
  const note = await readImport(query)
  if (note?.source === identity) return note
  if (note) throw new ImportError(`This gateway was imported from another site (${note.product}). Name an empty one.`)
  for (const table of tables) {
    const row = await query.selectFrom(table).select('id').limit(1).executeTakeFirst()
    if (row)
      throw new ImportError(
        `This gateway has ${table.replace('_', ' ')} already, whose ids are those of others in the source. Import into an empty one, before it is set up: the super admin of the source becomes its own.`,
      )
  }
  return null
}
