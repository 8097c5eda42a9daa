import { useMemo, useState } from 'react'

import type { Unfolding } from './log-cells'

/** Which calls show their attempts below their row. */
export function useUnfolding(): Unfolding {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  return useMemo(
    () => ({
      isUnfolded: (id) => ids.has(id),
      toggle: (id) =>
        setIds((before) => {
          const next = new Set(before)
          if (!next.delete(id)) next.add(id)
          return next
        }),
    }),
    [ids],
  )
}
