import { pricingRoutes, minuteMs } from '@tollgate/contract'
import { useMemo } from 'react'

import { useEnvelope } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useNow } from '../../../lib/text/use-now'
import { matching, offersIn, sorted, usualCall } from './offers'
import type { ModelSearch } from './model-search'

const noOffers = { data: [], envelopeFields: { group_ratio: {}, usable_group: {}, vendors: {}, aliases: [] } } as const

/** Schedules begin at a minute. */

/** The price list for the current filters. Prices change rarely, so data from a minute ago is fresh enough. */
export function useOffers(search: ModelSearch) {
  const { user } = useViewer()
  const pricing = useEnvelope(pricingRoutes.pricing, {}, { staleTime: 60_000 })
  const { data: rows, envelopeFields } = pricing.data ?? noOffers
  const ratios: Readonly<Record<string, number>> = envelopeFields.group_ratio
  const groups = Object.keys(ratios)
  const requested = [search.group, user?.group, 'default', groups[0]]
  const group = requested.find((name) => name !== undefined && groups.includes(name)) ?? ''
  const ratio = ratios[group] ?? 1
  const all = useMemo(() => offersIn(rows, group, ratio), [rows, group, ratio])
  const { keyword, vendor, kind, ability, sort = 'name', descending = false } = search
  const { in: input = usualCall.input, out: output = usualCall.output, cached = usualCall.cached } = search
  const { mode } = search
  const at = useNow(minuteMs)
  const call = useMemo(() => ({ input, output, cached, mode, at }), [input, output, cached, mode, at])
  const matches = useMemo(
    () => matching(all, { keyword, vendor, kind, ability }),
    [all, keyword, vendor, kind, ability],
  )
  const found = useMemo(
    () => sorted(matches, { column: sort, isDescending: descending, call }),
    [matches, sort, descending, call],
  )
  return {
    answer: pricing,
    all,
    found,
    call,
    group,
    ratio,
    ratios,
    descriptions: envelopeFields.usable_group,
    vendors: envelopeFields.vendors,
    aliases: envelopeFields.aliases,
  }
}
export type Offers = ReturnType<typeof useOffers>
