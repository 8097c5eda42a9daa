import * as z from 'zod'

import { searchText } from '../../lib/page-search'

/** A switch in an address: `1` and `true` are on. */
const flag = z
  .union([z.literal(1), z.literal(true), z.literal('1'), z.literal('true')])
  .transform(() => true as const)
  .optional()
  .catch(undefined)

/** What the address of the page holds. */
export const PlaygroundSearch = z.object({
  /** The session that is open; else a new one. */
  session: searchText,
  /** The model a new session starts with. */
  model: searchText,
  /** Another page hands a talk over, see `session/draft.ts`. */
  draft: flag,
  /** The sign-in is over. */
  expired: flag,
  /** What covers the page where there is no room beside it. */
  panel: z.enum(['sessions', 'settings']).optional().catch(undefined),
})
export type PlaygroundSearch = z.output<typeof PlaygroundSearch>
