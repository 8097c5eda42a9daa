import { ActionIcon, Drawer, Group, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { phoneQuery } from '../lib/breakpoints'
import classes from './peek-panel.module.css'

interface PeekPanelProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A row's details beside its table, which stays alive; on phones it covers the page. */
export function PeekPanel({ title, onClose, children }: PeekPanelProps) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery(phoneQuery)
  useEscape(onClose, !isPhone)
  if (isPhone)
    return (
      <Drawer
        opened
        onClose={onClose}
        position="right"
        size="100%"
        title={title}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children}
      </Drawer>
    )
  return (
    <aside className={classes.panel} aria-label={t('details')}>
      <Group justify="space-between" wrap="nowrap" className={classes.head}>
        <Title order={2} size="h3" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <ActionIcon aria-label={t('close')} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      <div className={classes.body}>{children}</div>
    </aside>
  )
}

/** Escape closes it, unless something above it is open. */
function useEscape(onEscape: () => void, isActive: boolean) {
  useEffect(() => {
    if (!isActive) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const isCovered = document.querySelector('[role="dialog"], [role="listbox"], [role="menu"]')
      if (event.key === 'Escape' && !event.defaultPrevented && !isCovered) onEscape()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [onEscape, isActive])
}
