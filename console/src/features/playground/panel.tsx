import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import * as z from 'zod'

import { FocusBack } from '../../components/focus-back'
import { ownEscape } from '../../components/own-escape'
import { useTranslation } from '../../lib/text/i18n'
import classes from './playground.module.css'
import { StoredValue } from '../../lib/browser/stored-value'

interface PanelProps {
  readonly name: PanelName
  readonly isDocked: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Beside the conversation where there is room, otherwise over it. */
export function Panel({ name, isDocked, onClose, children }: PanelProps) {
  const { t } = useTranslation('playground')
  const title = t(`panel.${name}`)
  if (isDocked)
    return (
      <aside className={classes.panel} data-panel={name} aria-label={title}>
        {children}
      </aside>
    )
  return (
    <Drawer
      opened
      onClose={onClose}
      {...ownEscape(onClose)}
      position={name === 'sessions' ? 'left' : 'right'}
      size="min(360px, 100%)"
      title={title}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      {children}
    </Drawer>
  )
}

/** Panels beside the conversation, where there is room. */
export type PanelName = 'sessions' | 'settings'

/** The reader's choice; by default the settings are shown, and the sessions in wide windows. */
export const shownPanels = new StoredValue(
  'playground-panels',
  z.object({ sessions: z.boolean().optional(), settings: z.boolean().optional() }),
  {},
)
