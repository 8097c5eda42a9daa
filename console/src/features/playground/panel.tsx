import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

import { FocusBack } from '../../components/focus-back'
import { ownEscape } from '../../components/own-escape'
import { useTranslation } from '../../lib/text/i18n'
import type { PanelName } from './panels'
import classes from './playground.module.css'

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
