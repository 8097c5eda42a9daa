import { z } from 'zod'

import { raiseNote, readNote } from '../../platform/store/site-notes'
import type { Queries } from '../../platform/store/database'

/** What is removed by age, and can be compared with other tables only since then. */
export type Aging = 'log' | 'sums'

const noteOf = (what: Aging) => `${what}-kept-since`

/** Resolves with the moment (seconds) since which no row was removed: of the log those of calls, of the sums all. */
export const readRetainedSince = async (query: Queries, what: Aging): Promise<number> =>
  (await readNote(query, noteOf(what), z.number())) ?? 0

/** Notes that rows older than `before` (seconds) are about to be removed. Of simultaneous removals the latest moment counts. */
export const noteRemoval = (query: Queries, what: Aging, before: number): Promise<void> =>
  raiseNote(query, noteOf(what), before, before * 1000)
