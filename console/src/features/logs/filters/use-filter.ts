import { useState } from 'react'

import { earlyNow } from '../../../lib/api/early'
import { useViewer } from '../../../lib/api/session'
import { filterOf, filtersIn } from '../log-query'
import type { LogSearch } from '../log-search'

/** How long a moment counts as now: an untouched list keeps its query. */
const longestSeconds = 1_800
/** A moment this recent is reused for a refresh. */
const freshSeconds = 60

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Returns the filters of the address, and a function that moves relative times to the present. */
export function useFilter(address: LogSearch) {
  const search = filtersIn(address)
  const readsAll = useViewer().may('logs.read')
  const question = JSON.stringify(search)
  const [asked, ask] = useState(() => ({ question, at: Math.floor(earlyNow() / 1000) }))
  const age = nowSeconds() - asked.at
  if (asked.question !== question || age > longestSeconds) ask({ question, at: nowSeconds() })
  const filter = filterOf(search, readsAll, asked.at)
  return {
    question,
    filter,
    /** Returns whether the filters changed, in which case the query runs anyway. */
    renew: () => {
      const at = nowSeconds()
      const isSame = JSON.stringify(filterOf(search, readsAll, at)) === JSON.stringify(filter)
      if (isSame || age <= freshSeconds) return false
      ask({ question, at })
      return true
    },
  }
}
