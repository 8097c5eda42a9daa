import { useDebouncedValue } from '@mantine/hooks'
import type { ApiError, Route, RouteAnswer, RouteSent } from '@tollgate/contract'
import { useState } from 'react'

import { useRead } from '../../lib/query'
import { matchingChoices, type Choice } from './choice'

/** How a combobox asks the server, and what it is told. */
export interface ServerSearch {
  readonly onType: (text: string) => void
  readonly isSearching: boolean
  readonly error: ApiError | null
}

/** A pause in typing that is long enough to ask. */
const typingMs = 250
/** What was found stays good while somebody chooses. */
const freshMs = 60_000

interface SearchedCall<R extends Route> {
  readonly route: R
  readonly query: (keyword: string) => RouteSent<R>
  readonly choices: (found: RouteAnswer<R>) => readonly Choice[]
}

/**
 * Searches a list on the server while a combobox is typed into: after a pause, not before the list is wanted, and the question
 * before is cancelled. Until the answer is there, what was found earlier is offered as far as it matches.
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
