import * as z from 'zod'

import { storedValue } from '../../lib/browser/storage'

/** Panels beside the conversation, where there is room. */
export type PanelName = 'sessions' | 'settings'

/** The reader's choice; by default the settings are shown, and the sessions in wide windows. */
export const shownPanels = storedValue(
  'playground-panels',
  z.object({ sessions: z.boolean().optional(), settings: z.boolean().optional() }),
  {},
)
