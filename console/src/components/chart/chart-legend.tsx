import classes from './chart.module.css'
import type { ChartSeries } from './series'

interface ChartLegendProps {
  readonly series: readonly ChartSeries[]
  readonly colors: readonly string[]
}

/** Names the colours of the series. */
export function ChartLegend({ series, colors }: ChartLegendProps) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name }, place) => (
        <li key={name}>
          <span className={classes.swatch} style={{ background: colors[place] }} />
          {name}
        </li>
      ))}
    </ul>
  )
}
