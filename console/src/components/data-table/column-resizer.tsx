import { useRef, type KeyboardEvent, type PointerEvent } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { columnWidths } from './columns'
import classes from './data-table.module.css'

const { min, max } = columnWidths
const step = 16

interface ColumnGripProps {
  readonly title: string
  /** Pixels; undefined: as wide as its content. */
  readonly width: number | undefined
  readonly onResize: (width: number | undefined) => void
}

/** Resize handle at the edge of a column's head. Arrow keys work too; a double click or Enter fits the content. */
export function ColumnResizer({ title, width, onResize }: ColumnGripProps) {
  const { t } = useTranslation()
  const drag = useRef<{ readonly x: number; readonly width: number }>(null)
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, min), max)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    if (event.key === 'Enter') return onResize(undefined)
    resize((width ?? widthOf(event.currentTarget)) + (event.key === 'ArrowRight' ? step : -step))
  }
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) resize(drag.current.width + clientX - drag.current.x)
  }
  const onEnd = () => (drag.current = null)
  return (
    <span
      className={classes.resizer}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('table.width', { title })}
      aria-valuenow={width ?? 0}
      aria-valuetext={width === undefined ? t('table.fits') : t('table.pixels', { width })}
      aria-valuemin={0}
      aria-valuemax={max}
      title={t('table.widthHint')}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onDoubleClick={() => onResize(undefined)}
    />
  )
}

const widthOf = (resizer: Element) => resizer.closest('th')?.getBoundingClientRect().width ?? min
