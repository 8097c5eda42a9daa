import * as z from 'zod'

import { stored } from '../../lib/storage'

/** What stands beside the talk where there is room. */
export type PanelName = 'sessions' | 'settings'

/** As the reader chose; before that the settings are shown, and the sessions where the window is wide. */
export const shownPanels = stored(
  'playground-panels',
  z.object({ sessions: z.boolean().optional(), settings: z.boolean().optional() }),
  {},
)
