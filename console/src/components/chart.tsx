import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

import type { TimeChartProps } from './chart/time-chart'

const TimeChart = lazy(async () => ({ default: (await import('./chart/time-chart')).TimeChart }))

/** Values over time. The code that draws them arrives with the first chart. */
export function Chart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton h={props.height} />}>
      <TimeChart {...props} />
    </Suspense>
  )
}
