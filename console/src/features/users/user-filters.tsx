import { groupRoutes, role as roles, userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { FilterBar } from '../../components/filter-bar'
import { useRead } from '../../lib/api/query'
import type { UserSearch } from './user-search'

interface UserFiltersProps {
  readonly search: UserSearch
  readonly onChange: (change: Partial<UserSearch>) => void
}

const roleNames = ['user', 'admin', 'root'] as const

/** A search for everything a user is found by, and status, role and group. */
export function UserFilters({ search: { keyword, group, status, role, near }, onChange }: UserFiltersProps) {
  const { t } = useTranslation('users')
  const { data = [] } = useRead(groupRoutes.listGroups, {}, { staleTime: 300_000 })
  // A group in the address stays selected, whether or not it still exists.
  const groups = [...new Set([...data, ...(group ? [group] : [])])]
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 280, isSearch: true },
        {
          kind: 'few',
          name: 'status',
          label: t('filter.status'),
          choices: userRoutes.userStates.map((value) => ({ value, label: t(`status.${value}`) })),
        },
        {
          kind: 'few',
          name: 'role',
          label: t('filter.role'),
          choices: roleNames.map((name) => ({ value: String(roles[name]), label: t(`role.${name}`) })),
        },
        {
          kind: 'few',
          name: 'near',
          label: t('filter.limits'),
          choices: [{ value: 'true', label: t('filter.nearLimit') }],
        },
        {
          kind: groups.length > maxNativeChoices ? 'choice' : 'few',
          name: 'group',
          label: t('filter.group'),
          choices: groups.map((name) => ({ value: name, label: name })),
        },
      ]}
      values={{ keyword, group, status, role: role?.toString(), near: near?.toString() }}
      onChange={(change) => {
        const { role: chosen, near: isNear, ...others } = change
        onChange({
          ...others,
          ...('role' in change && { role: Number(chosen) || undefined }),
          ...('near' in change && { near: isNear ? true : undefined }),
        })
      }}
    />
  )
}

/** With more groups, the list is searchable. */
const maxNativeChoices = 12
