import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import * as z from 'zod'

import { useTranslation } from '../../lib/i18n'
import { stored, useStored } from '../../lib/storage'
import classes from './peek-panel.module.css'

/** Pixels. */
const limits = { least: 340, usual: 460, most: 900 } as const
const step = 20

const storedWidth = stored('peek-width', z.number().min(limits.least).max(limits.most), limits.usual)

/** Width of details beside a table, as stored in this browser. */
export const usePeekWidth = () => useStored(storedWidth)

const within = (width: number) => Math.round(Math.min(Math.max(width, limits.least), limits.most))

/** Resize handle of the panel; arrow keys work too. */
export function PeekGrip() {
  const { t } = useTranslation()
  const [width, setWidth] = usePeekWidth()
  const [drag, setDrag] = useState<{ readonly x: number; readonly width: number } | null>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? step : event.key === 'ArrowRight' ? -step : 0
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
