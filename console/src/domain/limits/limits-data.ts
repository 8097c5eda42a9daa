import { type ApiError, windowRoutes } from '@tollgate/contract'

import { useRead, useWrite } from '../../lib/api/query'

export type LimitSettings = windowRoutes.WindowSettings

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
