import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

import type { StackedBarsProps } from './stacked-bars'

const StackedBars = lazy(async () => ({ default: (await import('./stacked-bars')).StackedBars }))

/** Amounts over time, parts above one another. What draws it arrives with the first chart. */
export function Chart(props: StackedBarsProps) {
  return (
    <Suspense fallback={<Skeleton h={props.height} />}>
      <StackedBars {...props} />
    </Suspense>
  )
}
