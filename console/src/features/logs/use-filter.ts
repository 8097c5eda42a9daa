import { useState } from 'react'

import { useViewer } from '../../lib/session'
import { filterOf } from './log-query'
import type { LogSearch } from './log-search'

/** As long as this the same moment counts as now: a list that nobody asked to change stays as it is. */
const longestSeconds = 1_800
/** A moment that is no older is good enough for asking again. */
const freshSeconds = 60

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The filters of the address, and how to bring those that depend on the time up to now. */
export function useFilter({ open: _open, page: _page, size: _size, ...search }: LogSearch) {
  const { isAdmin } = useViewer()
  const question = JSON.stringify(search)
  const [asked, ask] = useState(() => ({ question, at: nowSeconds() }))
  const age = nowSeconds() - asked.at
  if (asked.question !== question || age > longestSeconds) ask({ question, at: nowSeconds() })
  const filter = filterOf(search, isAdmin, asked.at)
  return {
    question,
    filter,
    /** Answers whether that changed the filters, so that they are asked for anew anyway. */
    renew: () => {
      const at = nowSeconds()
      const isSame = JSON.stringify(filterOf(search, isAdmin, at)) === JSON.stringify(filter)
      if (isSame || age <= freshSeconds) return false
      ask({ question, at })
      return true
    },
  }
}
