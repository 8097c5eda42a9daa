import * as z from 'zod'

import { searchText } from '../../lib/url/page-search'

/** A switch in an address: `1` and `true` are on. */
const flag = z
  .union([z.literal(1), z.literal(true), z.literal('1'), z.literal('true')])
  .transform(() => true as const)
  .optional()
  .catch(undefined)

/** Search parameters of the page. */
export const PlaygroundSearch = z.object({
  /** The open session; by default a new one. */
  session: searchText,
  /** The initial model of a new session. */
  model: searchText,
  /** Another page hands a conversation over, see `session/new-session.ts`. */
  draft: flag,
  /** What is made instead of a conversation. */
  make: z.enum(['images', 'songs', 'videos']).optional().catch(undefined),
  /** The sign-in has expired. */
  expired: flag,
  /** The panel that covers the page where there is no room beside it. */
  panel: z.enum(['sessions', 'settings']).optional().catch(undefined),
})
export type PlaygroundSearch = z.output<typeof PlaygroundSearch>

/** The token by its id: the key itself never appears in an address of the console. */
export const ChatSearch = z.object({ token: z.coerce.number().int().positive().optional().catch(undefined) })
