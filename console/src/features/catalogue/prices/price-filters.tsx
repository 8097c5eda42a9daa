import { priceRoutes } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import type { PricesSearch } from './price-search'

interface PricesFiltersProps {
  readonly search: PricesSearch
  readonly onChange: (change: Partial<PricesSearch>) => void
  /** Number of rows for each filter. */
  readonly counts: Readonly<Partial<Record<string, number>>>
  readonly vendors: Readonly<Record<string, string>>
}

const shown = ['own', 'default', 'differs', 'unpriced'] as const

/** Filters by name, pricing, maker and billing. */
export function PricesFilters({ search, onChange, counts, vendors }: PricesFiltersProps) {
  const { t } = useTranslation('prices')
  const { number } = useFormat()
  const { keyword, filter, vendor, kind, scope } = search
  const labelOf = (name: (typeof shown)[number]) => {
    const count = counts[name]
    return count === undefined ? t(`filter.${name}`) : `${t(`filter.${name}`)} (${number(count)})`
  }
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('search'), isSearch: true, width: 200 },
        {
          kind: 'few',
          name: 'filter',
          label: t('filter.title'),
          width: 140,
          choices: shown.map((value) => ({ value, label: labelOf(value) })),
        },
        {
          kind: 'choice',
          name: 'vendor',
          label: t('vendor'),
          width: 130,
          choices: Object.entries(vendors).map(([value, label]) => ({ value, label })),
        },
        {
          kind: 'few',
          name: 'kind',
          label: t('column.kind'),
          width: 130,
          choices: priceRoutes.billingKinds
            .filter((value) => value !== 'unpriced')
            .map((value) => ({ value, label: t(`kind.${value}`) })),
        },
        {
          kind: 'few',
          name: 'scope',
          width: 220,
          label: t('scope.served'),
          choices: [{ value: 'all', label: t('scope.all') }],
        },
      ]}
      values={{ keyword, filter, vendor, kind, scope }}
      onChange={(change) => onChange(change as Partial<PricesSearch>)}
    />
  )
}
