import { paymentRoutes } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { QuickRangeFilter } from '../../../components/time-range/quick-range-filter'
import { useTranslation } from '../../../lib/text/i18n'
import type { OrderSearch } from './order-search'
import { providers, useProviderName } from './order-cells'

interface OrderFiltersProps {
  readonly search: OrderSearch
  readonly onChange: (change: Partial<OrderSearch>) => void
}

/** A search field for numbers and users, then status and time. */
export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  const { keyword, status, provider, problem } = search
  const { t } = useTranslation('orders')
  const providerName = useProviderName()
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 260, isSearch: true },
        {
          kind: 'few',
          name: 'status',
          label: t('filter.status'),
          choices: paymentRoutes.orderStatuses.map((value) => ({ value, label: t(`order:status.${value}`) })),
        },
        {
          kind: 'few',
          name: 'provider',
          label: t('filter.provider'),
          choices: providers.map((value) => ({ value, label: providerName(value) })),
        },
        {
          kind: 'few',
          name: 'problem',
          label: t('filter.problem'),
          width: 180,
          choices: [{ value: 'any', label: t('needsLook') }],
        },
      ]}
      values={{ keyword, status, provider, problem }}
      onChange={onChange}
    >
      <QuickRangeFilter search={search} onChange={onChange} />
    </FilterBar>
  )
}
