import { ActionIcon, Drawer, Group, Title } from '@mantine/core'
import { type KeyboardEvent as ReactKeyboardEvent, type PointerEvent, type ReactNode, useEffect, useState } from 'react'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'

import { useIsOverlay, useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { watchPosition } from '../../lib/url/watch-position'
import classes from './peek-panel.module.css'
import { peekLimits as limits, usePeekWidth } from './list-with-panel'
import { Tip } from '../tip'

const watch = (panel: HTMLElement | null) => (panel ? watchPosition(panel) : undefined)

/** Otherwise an earlier control in the title would show its tooltip as soon as the panel opens. */
const focusedFirst = { 'data-autofocus': true }

interface PeekPanelProps {
  readonly title: ReactNode
  readonly onClose: () => void
  /** Go to the rows above and below; undefined without one. */
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  /** Sticky buttons below the details. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** A row's details beside its table, which stays interactive. Where both do not fit they lie over it; on phones they cover the page. */
export function PeekPanel({ title, onClose, onPrevious, onNext, footer, children }: PeekPanelProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const isOverlay = useIsOverlay()
  const [width] = usePeekWidth()
  useEscape(onClose, !isOverlay)
  const steps = (onPrevious || onNext) && <Steps onPrevious={onPrevious} onNext={onNext} />
  if (isOverlay)
    return (
      <Drawer
        opened
        onClose={onClose}
        position="right"
        size={isPhone ? '100%' : 560}
        title={title}
        closeButtonProps={{ 'aria-label': t('close'), ...focusedFirst }}
        classNames={{ title: classes.title, content: classes.drawer, body: classes.drawerBody }}
        data-peek
      >
        {steps && <div className={classes.drawerSteps}>{steps}</div>}
        <div className={classes.drawerText}>{children}</div>
        {footer && <div className={classes.foot}>{footer}</div>}
      </Drawer>
    )
  return (
    <aside ref={watch} className={classes.panel} aria-label={t('details')} style={{ width }}>
      <PeekGrip />
      <Group justify="space-between" wrap="nowrap" className={classes.head}>
        <Title order={2} size="h3" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap={2} wrap="nowrap" className={classes.buttons}>
          {steps}
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Group>
      </Group>
      <div className={classes.body}>{children}</div>
      {footer && <div className={classes.foot}>{footer}</div>}
    </aside>
  )
}

function Steps({ onPrevious, onNext }: Pick<PeekPanelProps, 'onPrevious' | 'onNext'>) {
  const { t } = useTranslation()
  return (
    <>
      <Tip label={t('peek.previousHint')}>
        <ActionIcon aria-label={t('peek.previous')} disabled={!onPrevious} onClick={onPrevious}>
          <IconChevronUp size={18} />
        </ActionIcon>
      </Tip>
      <Tip label={t('peek.nextHint')}>
        <ActionIcon aria-label={t('peek.next')} disabled={!onNext} onClick={onNext}>
          <IconChevronDown size={18} />
        </ActionIcon>
      </Tip>
    </>
  )
}

/** What opens above the page. A closed list stays in the DOM, so an open one is recognized by its field. */
const above = '[role="dialog"], [role="menu"]'
const isOpenList = (field: EventTarget | null) =>
  field instanceof Element && field.getAttribute('data-mantine-stop-propagation') === 'true'

/** Closes on Escape unless something above is open, checked before that has closed itself. */
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

const widthStep = 20

const within = (width: number) => Math.round(Math.min(Math.max(width, limits.least), limits.most))

/** Resize handle of the panel; arrow keys work too. */
function PeekGrip() {
  const { t } = useTranslation()
  const [width, setWidth] = usePeekWidth()
  const [drag, setDrag] = useState<{ readonly x: number; readonly width: number } | null>(null)
  const onKeyDown = (event: ReactKeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? widthStep : event.key === 'ArrowRight' ? -widthStep : 0
    if (by === 0) return
    event.preventDefault()
    setWidth(within(width + by))
  }
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ x: event.clientX, width })
  }
  return (
    <div
      className={classes.grip}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('peek.width')}
      aria-valuenow={width}
      aria-valuemin={limits.least}
      aria-valuemax={limits.most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => drag && setWidth(within(drag.width + drag.x - clientX))}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
    />
  )
}
