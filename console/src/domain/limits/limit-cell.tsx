import { lazy, Suspense } from 'react'

import type { Standing } from './standings-data'

const NearestLimit = lazy(async () => ({ default: (await import('./limit-bar')).NearestLimit }))

/**
 * The limit of a row that is used up first; its code is loaded with the first row that has one. A limit of the group of which nothing is used
 * would be in every row.
 */
export function LimitCell({ standings = [] }: { readonly standings: readonly Standing[] | undefined }) {
  const shown = standings.filter(({ owner, used }) => owner !== 'group' || used > 0)
  return shown.length === 0 ? null : (
    <Suspense>
      <NearestLimit standings={shown} />
    </Suspense>
  )
}
