import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
} from '@tanstack/react-query'
import { ApiError, type ApiResult, type Route, type RouteResult, type RouteSent } from '@tollgate/contract'
import { useCallback } from 'react'

import { call, callWhole, takePreloaded } from './api'
import { currentLanguage } from '../text/i18n'
import { notifyError } from '../browser/notify'

/** Transient failures are retried twice; decisions of the server are not. */
const mayPass = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 502

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && mayPass(error),
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  })

const keyOf = (route: Route, input?: object) => [route.path, route.method, input ?? {}, currentLanguage()] as const

/** Query options of a route: for `useQuery`, `prefetchQuery` and route loaders alike. */
export const read = <R extends Route>(route: R, input?: RouteSent<R>) =>
  queryOptions<RouteResult<R>, ApiError>({ queryKey: keyOf(route, input), queryFn: () => call(route, input) })

interface ReadOptions {
  readonly enabled?: boolean
  /** Refetches after this many milliseconds. */
  readonly refetchInterval?: number | false
  readonly staleTime?: number
  /** Cancels its request when the response is no longer needed. */
  readonly isCancelled?: boolean
}

interface SelectOption<R extends Route, Data> {
  /** Selects a part of the response. */
  readonly select?: (answer: RouteResult<R>) => Data
}

/** Reads through a route. Earlier data stays while the next page loads. */
export const useRead = <R extends Route, Data = RouteResult<R>>(
  route: R,
  input?: RouteSent<R>,
  { isCancelled, ...options }: ReadOptions & SelectOption<R, Data> = {},
) =>
  useQuery<RouteResult<R>, ApiError, Data>({
    queryKey: keyOf(route, input),
    queryFn: (query) => call(route, input, isCancelled ? query.signal : undefined),
    // A page whose data has arrived with its code is drawn once, without a skeleton before it.
    initialData: () => takePreloaded(route, input)?.data,
    placeholderData: keepPreviousData,
    ...options,
  })

/** Reads the whole response, where it has more than `data`. */
export const useEnvelope = <R extends Route>(
  route: R,
  input?: RouteSent<R>,
  options: Omit<ReadOptions, 'isCancelled'> = {},
) =>
  useQuery<ApiResult<R>, ApiError>({
    queryKey: [...keyOf(route, input), 'whole'],
    queryFn: () => callWhole(route, input),
    // As `useRead` does.
    initialData: () => takePreloaded(route, input),
    ...options,
  })

interface WriteOptions<R extends Route> {
  /** Routes affected by this write; all reads of them are refetched. */
  readonly changes?: readonly Route[]
  readonly onSuccess?: (data: RouteResult<R>, input: RouteSent<R>) => void
  /** Default: a toast. */
  readonly onError?: (error: ApiError) => void
}

/** Writes through a route. */
export function useWrite<R extends Route>(
  route: R,
  { changes = [], onSuccess, onError = notifyError }: WriteOptions<R> = {},
): UseMutationResult<RouteResult<R>, ApiError, RouteSent<R>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: RouteSent<R>) => call(route, input),
    onSuccess: (data, input) => {
      for (const changed of changes) void client.invalidateQueries({ queryKey: [changed.path] })
      onSuccess?.(data, input)
    },
    onError,
  })
}

/** Returns a function that refetches all reads of routes. */
export function useRefresh(): (...routes: readonly Route[]) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    async (...routes) => {
      await Promise.all(routes.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    },
    [client],
  )
}
