import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import classes from './heat-map.module.css'
import { pathNumber } from './path-number'
import { useWidth } from './use-width'

const heatLevels = ['quiet', 'good', 'fair', 'poor', 'bad'] as const
export type HeatLevel = (typeof heatLevels)[number]

interface HeatMapRow {
  readonly key: string | number
  readonly name: ReactNode
  /** One for each time. */
  readonly levels: readonly HeatLevel[]
}

interface HeatMapProps {
  readonly label: string
  readonly times: readonly string[]
  readonly rows: readonly HeatMapRow[]
  /** Describes one cell in words. */
  readonly describe: (row: number, time: number) => string
  /** Called with the cell that was clicked or chosen with Enter. */
  readonly onPick?: (row: number, time: number) => void
}

interface Cell {
  readonly row: number
  readonly time: number
}

const rowHeight = 24
const cellHeight = 20
const gap = 2
const narrowest = 8
const axisHeight = 20
const labelPixels = 92

/** Health over time, one row for each item. Arrow keys move between cells, whose descriptions are read aloud. */
export function HeatMap({ label, times, rows, describe, onPick }: HeatMapProps) {
  const { t } = useTranslation()
  const { ref, width: availableWidth } = useWidth()
  const [active, setActive] = useState<Cell | null>(null)
  /** The cell described when the touch began: the first tap describes a cell, the next one picks it. */
  const activeBefore = useRef<Cell | null>(null)
  const width = Math.max(availableWidth, times.length * narrowest)
  const band = width / Math.max(times.length, 1)
  const height = rows.length * rowHeight + axisHeight

  const cellUnder = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): Cell | null => {
    const box = currentTarget.getBoundingClientRect()
    const [time, row] = [Math.floor((clientX - box.left) / band), Math.floor((clientY - box.top) / rowHeight)]
    return time >= 0 && time < times.length && row >= 0 && row < rows.length ? { row, time } : null
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active) onPick?.(active.row, active.time)
    const next = step(event.key, active, rows.length, times.length)
    if (next === undefined) return
    event.preventDefault()
    setActive(next)
  }

  return (
    <div className={classes.map}>
      <ul className={classes.names}>
        {rows.map(({ key, name }) => (
          <li key={key} style={{ height: rowHeight }}>
            {name}
          </li>
        ))}
      </ul>
      <div ref={ref} className={classes.frame}>
        <div
          className={classes.picture}
          style={{ width, height }}
          tabIndex={0}
          role="group"
          aria-label={t('chart.walk', { chart: label })}
          onKeyDown={press}
          onBlur={() => setActive(null)}
          onPointerMove={(event) => setActive(cellUnder(event))}
          onPointerLeave={({ pointerType }) => {
            if (pointerType !== 'touch') setActive(null)
          }}
          onPointerDown={() => {
            activeBefore.current = active
          }}
          data-can-pick={onPick !== undefined || undefined}
          onPointerUp={(event) => {
            const cell = cellUnder(event)
            if (!cell) return
            const { current: before } = activeBefore
            if (event.pointerType === 'touch' && (before?.row !== cell.row || before.time !== cell.time))
              setActive(cell)
            else onPick?.(cell.row, cell.time)
          }}
        >
          {availableWidth > 0 && (
            <svg width={width} height={height} aria-hidden>
              {heatLevels.map((level) => (
                <path key={level} d={pathOf(rows, level, band)} className={classes.cells} data-level={level} />
              ))}
              {labelledTimes(times.length, band).map((time) => (
                <text key={time} x={time * band} y={height - 4} className={classes.time}>
                  {times[time]}
                </text>
              ))}
              {active && (
                <rect
                  className={classes.active}
                  x={active.time * band}
                  y={active.row * rowHeight}
                  width={band}
                  height={rowHeight}
                />
              )}
            </svg>
          )}
          {active && (
            <div
              className={classes.tip}
              role="status"
              style={{
                top: (active.row + 1) * rowHeight + 4,
                ...(active.time * band > width / 2
                  ? { right: width - (active.time + 1) * band }
                  : { left: active.time * band }),
              }}
            >
              {describe(active.row, active.time)}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Returns all cells of one level as one path. */
function pathOf(rows: readonly HeatMapRow[], drawn: HeatLevel, band: number): string {
  const width = Math.max(band - gap, 1)
  return rows
    .flatMap(({ levels }, row) =>
      levels.map((level, time) =>
        level === drawn
          ? `M${pathNumber(time * band)},${row * rowHeight + gap}h${pathNumber(width)}v${cellHeight}h${pathNumber(-width)}z`
          : '',
      ),
    )
    .join('')
}

function labelledTimes(count: number, band: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(labelPixels / band))
  return Array.from({ length: Math.floor(count / stride) }, (_, index) => index * stride)
}

/** Returns the cell that a key moves to; undefined for other keys. */
function step(key: string, from: Cell | null, rows: number, times: number): Cell | null | undefined {
  if (key === 'Escape') return from ? null : undefined
  if (!key.startsWith('Arrow')) return undefined
  if (!from) return { row: 0, time: times - 1 }
  const { row, time } = from
  if (key === 'ArrowLeft') return { row, time: Math.max(time - 1, 0) }
  if (key === 'ArrowRight') return { row, time: Math.min(time + 1, times - 1) }
  if (key === 'ArrowUp') return { row: Math.max(row - 1, 0), time }
  return { row: Math.min(row + 1, rows - 1), time }
}
