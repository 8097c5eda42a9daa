import type { SharedTokens } from '@tollgate/providers'
import { z } from 'zod'

import type { Context } from '../../context'
import type { SealContext } from '../../platform/store/seal'
import { readNote, writeNotes } from '../../platform/store/site-notes'

const StoredToken = z.object({ sealed: z.string(), goodUntil: z.number() })

const noteOf = (name: string) => `vendor-token:${name}`
const sealContextOf = (name: string): SealContext => `site_notes.value#${noteOf(name)}`

/**
 * Tokens of vendors, kept sealed in the database for the workers of all nodes. A call does without the database: while that fails, each
 * worker fetches tokens of its own. Nor are tokens sealed anew when the key changes: what does not open counts as absent.
 */
export const sharedTokens = ({
  database,
  seal,
  clock,
}: Pick<Context, 'database' | 'seal'> & { readonly clock: Pick<Context['clock'], 'now'> }): SharedTokens => ({
  async read(name) {
    try {
      const note = await readNote(database.query, noteOf(name), StoredToken)
      return note && { text: seal.open(note.sealed, sealContextOf(name)), goodUntil: note.goodUntil }
    } catch {
      return null
    }
  },
  async write(name, { text, goodUntil }) {
    const value = { sealed: seal.seal(text, sealContextOf(name)), goodUntil } satisfies z.infer<typeof StoredToken>
    await writeNotes(database.query, [{ name: noteOf(name), value }], clock.now()).catch(() => {})
  },
})
