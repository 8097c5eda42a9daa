import { groupRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/i18n'

import { FilterBar } from '../../components/filter-bar'
import { useRead } from '../../lib/query'
import type { UserSearch } from './user-search'

interface UserFiltersProps {
  readonly search: UserSearch
  readonly onChange: (change: Partial<UserSearch>) => void
}

/** A search for everything a user is found by, and the group. */
export function UserFilters({ search: { keyword, group }, onChange }: UserFiltersProps) {
  const { t } = useTranslation('users')
  const { data = [] } = useRead(groupRoutes.listGroups, {}, { staleTime: 300_000 })
  // A group in the address stays selected, whether or not it still exists.
  const groups = [...new Set([...data, ...(group ? [group] : [])])]
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 280, isSearch: true },
        {
          kind: groups.length > mostNative ? 'choice' : 'few',
          name: 'group',
          label: t('filter.group'),
          choices: groups.map((name) => ({ value: name, label: name })),
        },
      ]}
      values={{ keyword, group }}
      onChange={onChange}
    />
  )
}

/** With more groups, the list is searchable. */
const mostNative = 12
