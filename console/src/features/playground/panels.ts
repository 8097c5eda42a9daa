import * as z from 'zod'

import { stored } from '../../lib/storage'

/** What stands beside the talk where there is room. */
export type PanelName = 'sessions' | 'settings'

export const shownPanels = stored('playground-panels', z.object({ sessions: z.boolean(), settings: z.boolean() }), {
  sessions: true,
  settings: true,
})
