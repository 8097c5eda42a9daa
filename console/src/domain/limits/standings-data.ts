import { type RouteResult, windowRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'

export type Standing = windowRoutes.WindowStanding

/** Standings change with every call; a list that is reopened at once need not ask again. */
const freshMs = 30_000

export type OwnStanding = RouteResult<typeof windowRoutes.ownStandings>[number]

export const useOwnStandings = (options: { readonly enabled?: boolean } = {}) =>
  useRead(windowRoutes.ownStandings, {}, { staleTime: freshMs, ...options })

/** Returns what is left for each of the reader's keys; undefined while loading. */
export function useOwnKeyStandings(): ReadonlyMap<number, readonly Standing[]> | undefined {
  const { data } = useOwnStandings()
  return data && groupBySubject(data.filter(({ owner }) => owner === 'token'))
}

const groupBySubject = (standings: readonly Standing[]) => Map.groupBy(standings, ({ subject_id: id }) => id)

/** Returns what is left for each row of a list; undefined while loading. */
export function useStandings(
  owner: 'token' | 'user' | 'channel',
  rows: readonly { readonly id: number }[] | undefined,
): ReadonlyMap<number, readonly Standing[]> | undefined {
  const ids = rows?.map(({ id }) => id) ?? []
  const { data } = useRead(
    windowRoutes.listStandings,
    { query: { owner, ids: ids.join(',') } },
    { enabled: ids.length > 0, staleTime: freshMs },
  )
  return data && groupBySubject(data)
}
