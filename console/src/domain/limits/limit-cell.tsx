import { lazy, Suspense } from 'react'

import type { Standing } from './limits-data'

const NearestLimit = lazy(async () => ({ default: (await import('./limit-bar')).NearestLimit }))

/** The limit of a row that is used up first; its code is loaded with the first row that has one. */
export const LimitCell = ({ standings = [] }: { readonly standings: readonly Standing[] | undefined }) =>
  standings.length === 0 ? null : (
    <Suspense>
      <NearestLimit standings={standings} />
    </Suspense>
  )
