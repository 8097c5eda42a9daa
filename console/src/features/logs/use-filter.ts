import { useState } from 'react'

import { earlyNow } from '../../lib/early'
import { useViewer } from '../../lib/session'
import { filterOf, filtersIn } from './log-query'
import type { LogSearch } from './log-search'

/** As long as this the same moment counts as now: a list that nobody asked to change stays as it is. */
const longestSeconds = 1_800
/** A moment that is no older is good enough for asking again. */
const freshSeconds = 60

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The filters of the address, and how to bring those that depend on the time up to now. */
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
    /** Answers whether that changed the filters, so that they are asked for anew anyway. */
    renew: () => {
      const at = nowSeconds()
      const isSame = JSON.stringify(filterOf(search, readsAll, at)) === JSON.stringify(filter)
      if (isSame || age <= freshSeconds) return false
      ask({ question, at })
      return true
    },
  }
}
