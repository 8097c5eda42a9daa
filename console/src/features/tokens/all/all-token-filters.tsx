import { groupRoutes, tokenStatus } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import type { AllTokenSearch } from './all-token-search'

const statuses = ['enabled', 'disabled', 'expired', 'exhausted'] as const

interface AllTokenFiltersProps {
  readonly search: AllTokenSearch
  readonly onChange: (change: Partial<AllTokenSearch>) => void
}

/** A search for tokens and users, a user, the status and the group. */
export function AllTokenFilters({
  search: { keyword, username, status, group, near },
  onChange,
}: AllTokenFiltersProps) {
  const { t } = useTranslation('tokens')
  const { data = [] } = useRead(groupRoutes.listGroups, {}, { staleTime: 300_000 })
  const groups = [...new Set([...data, ...(group ? [group] : [])])]
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('all.keyword'), width: 260, isSearch: true },
        { kind: 'text', name: 'username', label: t('all.username') },
        {
          kind: 'few',
          name: 'status',
          label: t('filter.status'),
          choices: statuses.map((name) => ({ value: String(tokenStatus[name]), label: t(`status.${name}`) })),
        },
        {
          kind: 'few',
          name: 'near',
          label: t('filter.limits'),
          choices: [{ value: 'true', label: t('filter.nearLimit') }],
        },
        {
          kind: 'choice',
          name: 'group',
          label: t('filter.group'),
          choices: groups.map((name) => ({ value: name, label: name })),
        },
      ]}
      values={{ keyword, username, status: status?.toString(), group, near: near?.toString() }}
      onChange={(change) => {
        const { status: chosen, near: isNear, ...others } = change
        onChange({
          ...others,
          ...('status' in change && { status: Number(chosen) || undefined }),
          ...('near' in change && { near: isNear ? true : undefined }),
        })
      }}
    />
  )
}
