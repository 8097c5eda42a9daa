import { memo } from 'react'

import classes from './chart.module.css'
import { labelled, labelPlace, margins, type Plot } from './plot'

interface ChartAxesProps {
  readonly plot: Plot
  readonly times: readonly string[]
  readonly format: (value: number) => string
}

/** Grid lines with their values, and the times below the plot. */
export const ChartAxes = memo(function ChartAxes({ plot, times, format }: ChartAxesProps) {
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
      {labelled(times.length, plot).map((index) => (
        <text key={index} {...labelPlace(index, times[index] ?? '', plot)} y={margins.top + plot.height + 16}>
          {times[index]}
        </text>
      ))}
    </g>
  )
})
