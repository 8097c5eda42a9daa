import { ActionIcon, Drawer, Group, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useIsPhone } from '../lib/breakpoints'
import classes from './peek-panel.module.css'

interface PeekPanelProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A row's details beside its table, which stays alive; on phones it covers the page. */
export function PeekPanel({ title, onClose, children }: PeekPanelProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
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
        classNames={{ title: classes.title }}
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

/** What opens above the page. A list that was closed stays in the page, so an open one is known by its field. */
const above = '[role="dialog"], [role="menu"]'
const isOpenList = (field: EventTarget | null) =>
  field instanceof Element && field.getAttribute('data-mantine-stop-propagation') === 'true'

/** Escape closes it, unless something above it is open: asked before that has closed itself. */
function useEscape(onEscape: () => void, isActive: boolean) {
  useEffect(() => {
    if (!isActive) return undefined
    const onKeyDown = ({ key, target, isComposing }: KeyboardEvent) => {
      if (key !== 'Escape' || isComposing || isOpenList(target) || document.querySelector(above)) return
      onEscape()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [onEscape, isActive])
}
