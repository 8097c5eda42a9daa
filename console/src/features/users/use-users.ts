import { userRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import type { UserSearch } from './user-search'

type User = userRoutes.KnownUser

interface UserQuery extends Pick<UserSearch, 'keyword' | 'group'> {
  readonly page: number
  readonly size: number
}

/** A page of users: all, or those that match a search. */
export function useUsers({ keyword, group, page, size }: UserQuery) {
  const query = { p: page, page_size: size }
  const isSearch = keyword !== undefined || group !== undefined
  const all = useRead(userRoutes.listUsers, { query }, { enabled: !isSearch })
  const found = useRead(userRoutes.searchUsers, { query: { ...query, keyword, group } }, { enabled: isSearch })
  return isSearch ? found : all
}

/** Recent usage of the users of a page by id; undefined while loading. */
export function useUsage(users: readonly User[] | undefined): ReadonlyMap<number, userRoutes.UserUsage> | undefined {
  const ids = users?.map(({ id }) => id) ?? []
  const { data, isPlaceholderData } = useRead(
    userRoutes.usersUsage,
    { query: { ids: ids.join('\n') } },
    { enabled: ids.length > 0, staleTime: 60_000 },
  )
  if (!data || isPlaceholderData) return undefined
  return new Map(data.map((usage) => [usage.id, usage]))
}

/** The user whose panel is open: from the page, or requested separately. */
export function useOpenUser(id: number | undefined, users: readonly User[] | undefined) {
  const known = users?.find((user) => user.id === id)
  const isAsked = id !== undefined && users !== undefined && !known
  const asked = useRead(userRoutes.getUser, { params: { id: id ?? 0 } }, { enabled: isAsked })
  return {
    user: known ?? (isAsked && asked.data?.id === id ? asked.data : undefined),
    error: isAsked ? asked.error : null,
    retry: () => void asked.refetch(),
  }
}

/** Reads to refresh when users change. */
export const userReads = [userRoutes.listUsers, userRoutes.searchUsers, userRoutes.getUser] as const
