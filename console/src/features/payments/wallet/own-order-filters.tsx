import { paymentRoutes } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { QuickRangeFilter } from '../../../components/time-range/quick-range-filter'
import { useTranslation } from '../../../lib/text/i18n'
import type { RangeInAddress } from '../../../lib/text/range-of'

/** Filters of the reader's own orders. */
export interface OwnOrderSearch extends RangeInAddress {
  readonly keyword?: string | undefined
  readonly status?: string | undefined
}

interface OwnOrderFiltersProps {
  readonly search: OwnOrderSearch
  readonly onChange: (change: OwnOrderSearch) => void
}

/** Filters by a part of the number, by status and by time. */
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
