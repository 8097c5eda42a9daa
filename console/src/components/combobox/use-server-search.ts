import { useDebouncedValue } from '@mantine/hooks'
import type { ApiError, Route, RouteResult, RouteSent } from '@tollgate/contract'
import { useState } from 'react'

import { useRead } from '../../lib/api/query'
import { matchingChoices, type Choice } from './choice'

/** State and input of a combobox that searches on the server. */
export interface ServerSearch {
  readonly onType: (text: string) => void
  readonly isSearching: boolean
  readonly error: ApiError | null
}

/** Debounce of typing. */
const typingMs = 250
/** Results stay fresh while choosing. */
const freshMs = 60_000

interface SearchedCall<R extends Route> {
  readonly route: R
  readonly query: (keyword: string) => RouteSent<R>
  readonly choices: (found: RouteResult<R>) => readonly Choice[]
}

/**
 * Searches a list on the server while a combobox is typed into: debounced, only once the list is needed, and cancelling the previous
 * request. Until the response arrives, earlier results are filtered locally.
 */
export function useServerSearch<R extends Route>({ route, query, choices }: SearchedCall<R>) {
  const [typed, setTyped] = useState<string | undefined>()
  const [keyword] = useDebouncedValue(typed?.trim() ?? '', typingMs)
  const { data, error, isFetching, isPlaceholderData } = useRead(route, query(keyword), {
    enabled: typed !== undefined,
    isCancelled: true,
    staleTime: freshMs,
  })
  const found = data === undefined ? [] : choices(data)
  const isSearching = isFetching || isPlaceholderData || keyword !== (typed?.trim() ?? '')
  const search: ServerSearch = { onType: setTyped, isSearching, error }
  return { search, choices: isSearching ? matchingChoices(found, typed ?? '') : found }
}
