import { paymentRoutes } from '@tollgate/contract'

import { FilterBar } from '../../components/filter-bar'
import { QuickRangeFilter } from '../../components/time-range/quick-range-filter'
import { useTranslation } from '../../lib/i18n'
import type { TimeRange } from '../../lib/range-of'

/** What a reader's own orders are narrowed down to. */
export interface OwnOrderSearch extends TimeRange {
  readonly keyword?: string | undefined
  readonly status?: string | undefined
}

interface OwnOrderFiltersProps {
  readonly search: OwnOrderSearch
  readonly onChange: (change: OwnOrderSearch) => void
}

/** By a part of the number, by what became of the orders, and by when they were made. */
export function OwnOrderFilters({ search, onChange }: OwnOrderFiltersProps) {
  const { t } = useTranslation('wallet')
  const { keyword, status } = search
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('orders.number'), width: 220 },
        {
          kind: 'few',
          name: 'status',
          label: t('orders.status'),
          choices: paymentRoutes.orderStatuses.map((value) => ({ value, label: t(`order:status.${value}`) })),
        },
      ]}
      values={{ keyword, status }}
      onChange={onChange}
    >
      <QuickRangeFilter search={search} onChange={onChange} />
    </FilterBar>
  )
}
