import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

import { FilterBar } from '../../components/filter-bar'
import { RangeChoice } from '../../components/time-range/range-choice'
import { useTranslation } from '../../lib/i18n'
import { quickRanges, type QuickRange } from '../../lib/page-search'
import type { MessagesSearch } from './messages-search'

interface MessageFiltersProps {
  readonly search: MessagesSearch
  readonly onChange: (change: Partial<MessagesSearch>) => void
  /** Asks again, for what the filters say already. */
  readonly onQuery: () => void
}

export function MessageFilters({ search, onChange, onQuery }: MessageFiltersProps) {
  const { t } = useTranslation('messages')
  const { keyword, range, from, to } = search
  const custom = from === undefined && to === undefined ? undefined : { from, to }
  const isRange = custom !== undefined || range !== undefined
  return (
    <FilterBar<'keyword' | 'range' | 'from' | 'to'>
      filters={[{ kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 260, isSearch: true }]}
      values={{ keyword, range: isRange ? 'set' : undefined }}
      others={['range', 'from', 'to']}
      onChange={(change) => onChange(change as Partial<MessagesSearch>)}
    >
      <RangeChoice<QuickRange>
        quick={quickRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
        value={custom ?? range ?? 'all'}
        onChange={(value) =>
          onChange(
            typeof value === 'string'
              ? { range: value === 'all' ? undefined : value, from: undefined, to: undefined }
              : { range: undefined, ...value },
          )
        }
      />
      <Button variant="default" leftSection={<IconSearch size={14} />} onClick={onQuery}>
        {t('filter.query')}
      </Button>
    </FilterBar>
  )
}
