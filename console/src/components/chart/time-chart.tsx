import { useId, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, memo } from 'react'

import classes from './chart.module.css'
import { useTranslation } from '../../lib/text/i18n'
import { ChartTable } from './chart-table'
import { ChartTip } from './chart-tip'
import { maximumOf, pathsOf, plotOf, timeAt, type ChartKind, labelTicks, labelPlace, margins, type Plot } from './plot'
import { seriesColors, type ChartSeries } from './series'
import { useWidth } from './use-width'

export interface TimeChartProps {
  /** Read aloud instead of the chart. */
  readonly label: string
  readonly kind: ChartKind
  /** The times below the chart, one for each value of a series. */
  readonly times: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Pixels. */
  readonly height: number
  readonly format: (value: number) => string
  /** Called with the index of the time that was clicked or chosen with Enter. */
  readonly onPick?: (index: number) => void
  /** Called with the first and last index of a dragged range. */
  readonly onBrush?: (from: number, to: number) => void
  readonly hasLegend?: boolean
  /** The last time goes on: its values are drawn as unfinished. */
  readonly isLastOpen?: boolean
}

/** Values over time, stacked as bars or areas, or as lines. Arrow keys move through the times. */
export function TimeChart(props: TimeChartProps) {
  const { label, kind, times, series, height, format, onPick, onBrush, hasLegend = series.length > 1 } = props
  const { isLastOpen = false } = props
  const clip = useId()
  const open = isLastOpen ? times.length - 1 : times.length
  const nameOf = (index: number) => (index === open ? t('chart.soFar', { time: times[index] ?? '' }) : times[index])
  const { t } = useTranslation()
  const { ref, width } = useWidth()
  const [active, setActive] = useState<number | null>(null)
  const [dragFrom, setDragFrom] = useState<number | null>(null)
  /** The time described when the touch began: the first tap describes a time, the next one picks it. */
  const activeBefore = useRef<number | null>(null)
  const plot = useMemo(
    () => plotOf(times.length, maximumOf(series, times.length, kind), { width, height }),
    [times, series, kind, width, height],
  )
  const paths = useMemo(() => pathsOf(series, times.length, kind, plot), [series, times, kind, plot])
  const colors = useMemo(() => seriesColors(series), [series])

  const indexUnder = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    timeAt(clientX - currentTarget.getBoundingClientRect().left, times.length, plot)

  const finish = (event: PointerEvent<HTMLElement>) => {
    const to = indexUnder(event)
    const from = dragFrom
    setDragFrom(null)
    if (from === null || to === null) return
    if (from !== to && onBrush) onBrush(Math.min(from, to), Math.max(from, to))
    else if (event.pointerType === 'touch' && activeBefore.current !== to) setActive(to)
    else onPick?.(to)
  }

  const press = (event: KeyboardEvent) => {
    const next = step(event.key, active, times.length)
    if (next !== undefined) {
      event.preventDefault()
      setActive(next)
    } else if (event.key === 'Enter' && active !== null && onPick) {
      event.preventDefault()
      onPick(active)
    }
  }

  return (
    <figure className={classes.chart} aria-label={label}>
      <div
        ref={ref}
        className={classes.picture}
        style={{ height }}
        data-can-pick={onPick !== undefined || undefined}
        tabIndex={0}
        role="group"
        aria-label={t('chart.walk', { chart: label })}
        onKeyDown={press}
        onBlur={() => setActive(null)}
        onPointerMove={(event) => setActive(indexUnder(event))}
        onPointerLeave={({ pointerType }) => {
          // Lifting a finger also fires leave, but the tooltip must stay readable.
          if (pointerType !== 'touch') setActive(null)
          setDragFrom(null)
        }}
        onPointerDown={(event) => {
          activeBefore.current = active
          setDragFrom(indexUnder(event))
        }}
        onPointerUp={finish}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden>
            <ChartAxes plot={plot} times={times} format={format} />
            {active !== null && (
              <rect
                className={classes.band}
                x={plot.x(Math.min(active, dragFrom ?? active))}
                y={8}
                width={plot.band * (Math.abs(active - (dragFrom ?? active)) + 1)}
                height={plot.height}
              />
            )}
            <Paths paths={paths} kind={kind} colors={colors} clip={isLastOpen ? `url(#${clip}-whole)` : undefined} />
            {isLastOpen && (
              <g className={classes.open}>
                <clipPath id={`${clip}-whole`}>
                  <rect width={plot.x(open)} height={height} />
                </clipPath>
                <clipPath id={`${clip}-open`}>
                  <rect x={plot.x(open)} width={plot.band} height={height} />
                </clipPath>
                <Paths paths={paths} kind={kind} colors={colors} clip={`url(#${clip}-open)`} />
              </g>
            )}
          </svg>
        )}
        {active !== null && (
          <ChartTip
            title={nameOf(active) ?? ''}
            series={series}
            index={active}
            format={format}
            isStacked={kind !== 'lines'}
            left={plot.x(active)}
            band={plot.band}
            width={width}
          />
        )}
      </div>
      {hasLegend && <ChartLegend series={series} colors={colors} />}
      <ChartTable label={label} times={times} series={series} format={format} />
    </figure>
  )
}

interface PathsProps {
  readonly paths: readonly string[]
  readonly kind: ChartKind
  readonly colors: readonly string[]
  readonly clip: string | undefined
}

const Paths = ({ paths, kind, colors, clip }: PathsProps) => (
  <g clipPath={clip}>
    {paths.map((path, index) => (
      <path
        key={index}
        d={path}
        className={classes[kind]}
        style={kind === 'lines' ? { stroke: colors[index] } : { fill: colors[index] }}
      />
    ))}
  </g>
)

/** Returns the time that a key moves to; undefined for other keys. */
function step(key: string, from: number | null, count: number): number | null | undefined {
  const last = count - 1
  if (key === 'ArrowRight') return from === null ? 0 : Math.min(from + 1, last)
  if (key === 'ArrowLeft') return from === null ? last : Math.max(from - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return key === 'Escape' && from !== null ? null : undefined
}

interface ChartAxesProps {
  readonly plot: Plot
  readonly times: readonly string[]
  readonly format: (value: number) => string
}

/** Grid lines with their values, and the times below the plot. */
const ChartAxes = memo(function ChartAxes({ plot, times, format }: ChartAxesProps) {
  const right = margins.left + plot.width
  return (
    <g className={classes.axes}>
      {plot.ticks.map((tick) => (
        <g key={tick}>
          <line x1={margins.left} x2={right} y1={plot.y(tick)} y2={plot.y(tick)} />
          <text x={margins.left - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {labelTicks(times.length, plot).map((index) => (
        <text key={index} {...labelPlace(index, times[index] ?? '', plot)} y={margins.top + plot.height + 16}>
          {times[index]}
        </text>
      ))}
    </g>
  )
})

interface ChartLegendProps {
  readonly series: readonly ChartSeries[]
  readonly colors: readonly string[]
}

/** Names the colours of the series. */
function ChartLegend({ series, colors }: ChartLegendProps) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name }, index) => (
        <li key={name}>
          <span className={classes.swatch} style={{ background: colors[index] }} />
          {name}
        </li>
      ))}
    </ul>
  )
}
