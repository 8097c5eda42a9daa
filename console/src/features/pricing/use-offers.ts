import { pricingRoutes } from '@tollgate/contract'
import { useMemo } from 'react'

import { useReadWhole } from '../../lib/query'
import { useViewer } from '../../lib/session'
import { usualCall } from './cost'
import { matching, offersIn, sorted } from './offers'
import type { PricingSearch } from './pricing-search'

const none = { data: [], beside: { group_ratio: {}, usable_group: {}, vendors: {} } } as const

/** The price list as the reader asks for it. Prices change rarely; what was read a minute ago will do. */
export function useOffers(search: PricingSearch) {
  const { user } = useViewer()
  const answer = useReadWhole(pricingRoutes.pricing, {}, { staleTime: 60_000 })
  const { data: rows, beside } = answer.data ?? none
  const ratios: Readonly<Record<string, number>> = beside.group_ratio
  const groups = Object.keys(ratios)
  const wanted = [search.group, user?.group, 'default', groups[0]]
  const group = wanted.find((name) => name !== undefined && groups.includes(name)) ?? ''
  const ratio = ratios[group] ?? 1
  const all = useMemo(() => offersIn(rows, group, ratio), [rows, group, ratio])
  const { keyword, vendor, kind, ability, sort = 'name', descending = false } = search
  const { in: input = usualCall.input, out: output = usualCall.output, cached = usualCall.cached } = search
  const tokens = useMemo(() => ({ input, output, cached }), [input, output, cached])
  const matches = useMemo(
    () => matching(all, { keyword, vendor, kind, ability }),
    [all, keyword, vendor, kind, ability],
  )
  const found = useMemo(
    () => sorted(matches, { column: sort, isDescending: descending, tokens }),
    [matches, sort, descending, tokens],
  )
  return {
    answer,
    all,
    found,
    tokens,
    group,
    ratio,
    ratios,
    descriptions: beside.usable_group,
    vendors: beside.vendors,
  }
}
export type Offers = ReturnType<typeof useOffers>
