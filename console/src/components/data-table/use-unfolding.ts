import { useMemo, useState } from 'react'

import { toggled } from './select-all'
import type { Unfolding } from './types'

/** Keeps which rows of a table are expanded. */
export function useUnfolding(): Pick<Unfolding<never>, 'unfolded' | 'onToggle'> {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => ({ unfolded, onToggle: (key) => setUnfolded((keys) => toggled(keys, key)) }), [unfolded])
}
