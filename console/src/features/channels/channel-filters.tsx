import { channelStatus } from '@tollgate/contract'

import { FilterBar } from '../../components/filter-bar'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import type { Vendor } from './channel-cells'
import type { ChannelSearch } from './channel-search'
import { useGroups } from './channel-data'

// It has arrived when the filters are drawn with it.
void import('../../components/choice-filter')

interface ChannelFiltersProps {
  readonly vendors: readonly Vendor[]
  readonly search: ChannelSearch
  readonly onChange: (change: Partial<ChannelSearch>) => void
}

export function ChannelFilters({ vendors, search, onChange }: ChannelFiltersProps) {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  const groups = useGroups()
  const { keyword, model, group, status, type } = search
  return (
    <FilterBar
      filters={[
        { name: 'keyword', kind: 'text', label: t('filter.keyword'), isSearch: true },
        { name: 'model', kind: 'text', label: t('filter.model') },
        {
          name: 'group',
          kind: 'choice',
          label: t('filter.group'),
          choices: groups.map((group) => ({ value: group, label: group })),
        },
        {
          name: 'status',
          kind: 'few',
          label: t('filter.status'),
          width: 140,
          choices: (['enabled', 'disabled', 'autoDisabled'] as const).map((name) => ({
            value: String(channelStatus[name]),
            label: t(`status.${name}`),
          })),
        },
        {
          name: 'type',
          kind: 'choice',
          label: t('filter.type'),
          choices: vendors.map(({ type, name }) => ({ value: String(type), label: name[language] })),
        },
      ]}
      values={{ keyword, model, group, status: textOf(status), type: textOf(type) }}
      onChange={(change) => onChange(asSearch(change))}
    />
  )
}

const textOf = (value: number | undefined) => (value === undefined ? undefined : String(value))

/** Converts numeric filters to numbers for the address. */
const asSearch = (change: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      value !== undefined && (name === 'status' || name === 'type') ? Number(value) : value,
    ]),
  )
