import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

import { FilterBar } from '../../components/filter-bar'
import { QuickRangeFilter } from '../../components/time-range/quick-range-filter'
import { useTranslation } from '../../lib/text/i18n'
import type { MessagesSearch } from './message-search'

interface MessageFiltersProps {
  readonly search: MessagesSearch
  readonly onChange: (change: Partial<MessagesSearch>) => void
  /** Repeats the search with the same filters. */
  readonly onQuery: () => void
}

export function MessageFilters({ search, onChange, onQuery }: MessageFiltersProps) {
  const { t } = useTranslation('messages')
  const { keyword, range, from, to } = search
  const isRange = range !== undefined || from !== undefined || to !== undefined
  return (
    <FilterBar<'keyword' | 'range' | 'from' | 'to'>
      filters={[{ kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 260, isSearch: true }]}
      values={{ keyword, range: isRange ? 'set' : undefined }}
      others={['range', 'from', 'to']}
      onChange={(change) => onChange(change as Partial<MessagesSearch>)}
    >
      <QuickRangeFilter search={search} onChange={onChange} />
      <Button variant="default" leftSection={<IconSearch size={14} />} onClick={onQuery}>
        {t('filter.query')}
      </Button>
    </FilterBar>
  )
}
