import { userRoutes } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { useRead } from '../../lib/api/query'
import type { UserSearch } from './user-search'
import { useSite } from '../../lib/api/status'

type User = userRoutes.KnownUser

/** Returns the filters of the calls from the address. */
export const filterOf = ({ keyword, group, status, role, near }: UserSearch) => ({
  keyword,
  group,
  status: userRoutes.userStates.find((known) => known === status),
  role,
  near_limit: near,
})

/** A page of users: all, or those that match a search. */
export function useUsers(search: UserSearch, { page, size, sort, descending }: ListPart<userRoutes.UserSort>) {
  const query = { p: page, page_size: size, sort, descending }
  const filter = filterOf(search)
  const isSearch = Object.values(filter).some((value) => value !== undefined)
  const all = useRead(userRoutes.listUsers, { query }, { enabled: !isSearch })
  const found = useRead(userRoutes.searchUsers, { query: { ...query, ...filter } }, { enabled: isSearch })
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
  const isFetched = id !== undefined && users !== undefined && !known
  const fetched = useRead(userRoutes.getUser, { params: { id: id ?? 0 } }, { enabled: isFetched })
  return {
    user: known ?? (isFetched && fetched.data?.id === id ? fetched.data : undefined),
    error: isFetched ? fetched.error : null,
    retry: () => void fetched.refetch(),
  }
}

/** Reads to refresh when users change. */
export const userReads = [userRoutes.listUsers, userRoutes.searchUsers, userRoutes.getUser] as const

/** External accounts of users; proper names need no translation. */
export const useIdentities = () => {
  const { oidc_display_name: oidc } = useSite()
  return [
    { field: 'github_id', name: 'GitHub' },
    { field: 'oidc_id', name: oidc },
    { field: 'wechat_id', name: 'WeChat' },
    { field: 'telegram_id', name: 'Telegram' },
    { field: 'linux_do_id', name: 'LinuxDO' },
  ] as const
}
