import '@mantine/charts/styles.layer.css'
import '@mantine/core/styles/ColorSwatch.layer.css'

import { BarChart } from '@mantine/charts'

export interface ChartPart {
  readonly name: string
  readonly values: readonly number[]
  /** The rest, in grey. */
  readonly isOther?: boolean
}

export interface StackedBarsProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string
  /** Under the bars. */
  readonly times: readonly string[]
  readonly parts: readonly ChartPart[]
  readonly height: number
  readonly format: (value: number) => string
}

const colors = [1, 2, 3, 4, 5, 6, 7, 8].map((series) => `var(--chart-${series})`)

export function StackedBars({ label, times, parts, height, format }: StackedBarsProps) {
  const data = times.map((time, index) => ({
    time,
    ...Object.fromEntries(parts.map(({ values }, part) => [keyOf(part), values[index] ?? 0])),
  }))
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={height}
        data={data}
        dataKey="time"
        type="stacked"
        series={parts.map(({ name, isOther }, part) => ({
          name: keyOf(part),
          label: name,
          color: (isOther ? undefined : colors[part % colors.length]) ?? 'var(--chart-rest)',
        }))}
        valueFormatter={format}
        gridAxis="x"
        tickLine="none"
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        maxBarWidth={42}
        xAxisProps={{ minTickGap: 24, fontSize: 'var(--text-xs)' }}
        yAxisProps={{ width: 64, fontSize: 'var(--text-xs)' }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  )
}

/** Names come from users and may hold dots, which the chart would take for paths. */
const keyOf = (part: number) => `part${part}`
