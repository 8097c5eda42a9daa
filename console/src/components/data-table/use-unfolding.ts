import { useMemo, useState } from 'react'

import { toggled } from './select-all'
import type { Unfolding } from './types'

/** Which rows of a table show what is below them. */
export function useUnfolding(): Pick<Unfolding<never>, 'unfolded' | 'onToggle'> {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => ({ unfolded, onToggle: (key) => setUnfolded((keys) => toggled(keys, key)) }), [unfolded])
}
