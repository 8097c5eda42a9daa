import { z } from 'zod'

import type { Queries, Transaction } from '../platform/store/database'
import { readNote, writeNotes } from '../platform/store/site-notes'

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

/** Prefix of the credit of a top-up that was paid in the gateway before, followed by its id there. */
export const topUpPrefix = 'import-top-up:'

/** Resolves with the import of this gateway; null: there was none. */
export const readImport = (query: Queries | Transaction): Promise<ImportNote | null> =>
  readNote(query, noteName, ImportNote)

export const keepImport = (query: Queries | Transaction, note: ImportNote): Promise<void> =>
  writeNotes(query, [{ name: noteName, value: note }], note.at * 1000)
