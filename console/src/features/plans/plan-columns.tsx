import type { Column } from '../../components/data-table/types'
import { StatusBadge } from '../../components/status-badge'
import { Money } from '../../domain/money'
import { usePlanText } from '../../domain/plans/use-plan-text'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import type { PlanSales } from './plan-data'

export const planSorts = ['name', 'sale', 'price', 'active', 'sold', 'revenue', 'used'] as const

/** Columns of the list. */
export function usePlanColumns(): readonly Column<PlanSales>[] {
  const { t } = useTranslation('plans')
  const { number } = useFormat()
  const text = usePlanText()
  const figure = (name: 'active' | 'sold', other: Partial<Column<PlanSales>> = {}): Column<PlanSales> => ({
    id: name,
    title: t(`column.${name}`),
    isSortable: true,
    sortBy: (plan) => plan[name],
    align: 'end',
    card: 'fact',
    cell: (plan) => <span className="figures">{number(plan[name])}</span>,
    ...other,
  })
  const sum = (name: 'revenue' | 'used', other: Partial<Column<PlanSales>> = {}): Column<PlanSales> => ({
    ...figure('sold'),
    id: name,
    title: t(`column.${name}`),
    sortBy: (plan) => plan[name],
    cell: (plan) => <Money quota={plan[name]} />,
    ...other,
  })
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      isSortable: true,
      sortBy: ({ name }) => name,
      card: 'title',
      cell: ({ name }) => name,
    },
    {
      id: 'sale',
      title: t('column.sale'),
      isSortable: true,
      sortBy: ({ is_on_sale: isOnSale }) => Number(isOnSale),
      card: 'trailing',
      cell: (plan) => <SaleState plan={plan} />,
    },
    {
      id: 'price',
      title: t('column.price'),
      isSortable: true,
      sortBy: ({ price }) => price,
      align: 'end',
      card: 'plain',
      cell: (plan) => <span className="figures">{text.price(plan)}</span>,
    },
    figure('active'),
    figure('sold', { hiddenBelow: 'middle' }),
    sum('revenue'),
    sum('used', { hiddenBelow: 'middle' }),
  ]
}

export function SaleState({ plan: { is_on_sale: isOnSale } }: { readonly plan: Pick<PlanSales, 'is_on_sale'> }) {
  const { t } = useTranslation('plans')
  return <StatusBadge tone={isOnSale ? 'good' : 'neutral'}>{t(isOnSale ? 'sale.on' : 'sale.off')}</StatusBadge>
}
