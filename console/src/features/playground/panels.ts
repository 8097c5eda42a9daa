import * as z from 'zod'

import { stored } from '../../lib/storage'

/** What stands beside the talk where there is room. */
export const panelNames = ['sessions', 'settings'] as const
export type PanelName = (typeof panelNames)[number]

export const shownPanels = stored('playground-panels', z.object({ sessions: z.boolean(), settings: z.boolean() }), {
  sessions: true,
  settings: true,
})
