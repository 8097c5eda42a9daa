import { useState, type KeyboardEvent, type PointerEvent } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import classes from './peek-panel.module.css'
import { peekLimits as limits, usePeekWidth } from './peek-width'

const step = 20

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
