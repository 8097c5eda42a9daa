import { type ApiError, type RouteResult, windowRoutes } from '@tollgate/contract'

import { useRead, useWrite } from '../../lib/api/query'

export type LimitSettings = windowRoutes.WindowSettings
export type Standing = windowRoutes.WindowStanding

/** For whom a limit is edited. */
export interface EditedOwner {
  readonly owner: windowRoutes.WindowOwner
  /** A key of the reader. */
  readonly isOwn?: boolean
}

/** Whose limits are shown or edited; those of a plan are a part of it. */
export interface LimitsOwner extends EditedOwner {
  readonly owner: Exclude<windowRoutes.WindowOwner, 'plan'>
  /** As the calls name it: an id, or the name of a group. */
  readonly ref: string
  /** As the reader knows it. */
  readonly name: string
}

/** Reads the limits of an owner, and what is left of them. */
export function useLimits({ owner, ref, isOwn = false }: LimitsOwner, options: { readonly staleTime?: number } = {}) {
  const ofKey = useRead(
    windowRoutes.listKeyWindows,
    { query: { token_id: isOwn ? Number(ref) : 0 } },
    { ...options, enabled: isOwn },
  )
  const ofAny = useRead(windowRoutes.listWindows, { query: { owner, ref } }, { ...options, enabled: !isOwn })
  return isOwn ? ofKey : ofAny
}

/** Reads to refresh when limits change. */
const limitReads = [
  windowRoutes.listWindows,
  windowRoutes.listKeyWindows,
  windowRoutes.listGroupWindows,
  windowRoutes.ownStandings,
  windowRoutes.listStandings,
] as const

interface SaveHandlers {
  readonly onSuccess: () => void
  readonly onError: (error: ApiError) => void
}

/** Saves all limits of an owner at once. */
export function useSaveLimits({ owner, ref, isOwn }: LimitsOwner, { onSuccess, onError }: SaveHandlers) {
  const handlers = { changes: limitReads, onSuccess: () => onSuccess(), onError }
  const ofKey = useWrite(windowRoutes.setKeyWindows, handlers)
  const ofAny = useWrite(windowRoutes.setWindows, handlers)
  return {
    isSaving: ofKey.isPending || ofAny.isPending,
    save: (windows: LimitSettings[]) =>
      isOwn
        ? ofKey.mutate({ body: { token_id: Number(ref), windows } })
        : ofAny.mutate({ body: { owner, ref, windows } }),
  }
}

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
