import { groupRoutes, tokenStatus } from '@tollgate/contract'

import { FilterBar } from '../../components/filter-bar'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import type { TokenSearch } from './token-search'

const statuses = ['enabled', 'disabled', 'expired', 'exhausted'] as const

interface TokenFiltersProps {
  readonly search: TokenSearch
  readonly onChange: (change: Partial<TokenSearch>) => void
}

/** A search for name and key, the status, and the group where there are several. */
export function TokenFilters({ search, onChange }: TokenFiltersProps) {
  const { t } = useTranslation('tokens')
  const { keyword, status, group, near } = search
  const own = useRead(groupRoutes.ownGroups, {}, { staleTime: 300_000 })
  // A group in the address stays selected, whether or not it is still offered.
  const groups = [...new Set([...Object.keys(own.data ?? {}), ...(group ? [group] : [])])]
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), isSearch: true },
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
        ...(groups.length > 1 || group
          ? [
              {
                kind: 'few',
                name: 'group',
                label: t('filter.group'),
                choices: groups.map((name) => ({ value: name, label: name })),
              } as const,
            ]
          : []),
      ]}
      values={{ keyword, status: status?.toString(), group, near: near?.toString() }}
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
