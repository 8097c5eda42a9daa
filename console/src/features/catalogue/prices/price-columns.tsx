import { Badge } from '@mantine/core'
import type { priceRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { Tip } from '../../../components/tip'
import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { priceText } from '../../../lib/text/prices'
import { useFormat } from '../../../lib/text/use-format'
import { editedColumns } from './edited-columns'
import { hasPrice, PriceCell } from './price-cells'
import { CostRange, hasCost, hasMargin, ListPrice, Margin } from './price-figures'
import classes from './prices.module.css'
import type { PriceWrites } from './price-data'

export type PriceRow = priceRoutes.PriceRow

/** Columns of the table. `writes` is undefined for readers without write access. */
export function usePriceColumns(writes: PriceWrites | undefined): readonly Column<PriceRow>[] {
  const { t } = useTranslation('prices')
  const { number, quotaInDollars } = useFormat()
  return [
    {
      id: 'model',
      title: t('column.model'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: (row) => <ModelName row={row} />,
    },
    {
      id: 'kind',
      title: t('column.kind'),
      stackBelow: 'model',
      card: 'plain',
      cell: ({ kind }) => t(`kind.${kind}`),
      // Its badge says that a model has no price.
      cardCell: ({ kind }) => (kind === 'unpriced' ? null : t(`kind.${kind}`)),
      belowCell: ({ kind }) => (kind === 'tokens' || kind === 'unpriced' ? null : t(`kind.${kind}`)),
    },
    ...editedColumns.map((name): Column<PriceRow> => ({
      id: name,
      title: t(`column.${name}`),
      align: 'end',
      hiddenBelow: name.startsWith('cache') ? 'wide' : undefined,
      cell: (row) => <PriceCell row={row} column={name} writes={writes} />,
      card: 'fact',
      // On a card the price is read; its panel edits it.
      cardCell: (row) => (hasPrice(row, name) ? <PriceCell row={row} column={name} writes={undefined} /> : null),
    })),
    {
      id: 'list_mix',
      title: t('column.list'),
      align: 'end',
      hiddenBelow: 'middle',
      isSortable: true,
      card: 'fact',
      cell: (row) => <ListPrice row={row} />,
      cardCell: (row) => (row.list ? <ListPrice row={row} /> : null),
    },
    {
      id: 'cost',
      title: t('column.cost'),
      align: 'end',
      hiddenBelow: 'wide',
      card: 'fact',
      cell: (row) => <CostRange row={row} />,
      cardCell: (row) => (hasCost(row) ? <CostRange row={row} /> : null),
    },
    {
      id: 'mix',
      title: t('column.mix'),
      align: 'end',
      isHiddenAtFirst: true,
      isSortable: true,
      cell: ({ mix }) => (mix === null ? null : <span className="figures">{priceText(mix)}</span>),
    },
    {
      id: 'margin',
      title: t('column.margin'),
      align: 'end',
      isSortable: true,
      card: 'fact',
      cell: ({ margin, dearest }) => <Margin margin={margin} at={dearest} />,
      cardCell: (row) => (hasMargin(row) ? <Margin margin={row.margin} at={row.dearest} /> : null),
    },
    {
      id: 'spend',
      title: t('column.spend'),
      align: 'end',
      hiddenBelow: 'wide',
      isSortable: true,
      card: 'fact',
      cell: ({ spend }) => (
        <span className={spend === 0 ? classes.none : 'figures'}>{spend === 0 ? '–' : quotaInDollars(spend)}</span>
      ),
      cardCell: ({ spend }) => (spend === 0 ? null : <span className="figures">{quotaInDollars(spend)}</span>),
    },
    {
      id: 'channels',
      title: t('column.channels'),
      align: 'end',
      isSortable: true,
      isHiddenAtFirst: true,
      cell: ({ channels }) => <span className="figures">{number(channels)}</span>,
    },
  ]
}

/** A model with its maker's mark, and a badge for the operator's price or a missing one. */
export function ModelName({ row: { model, owned_by: maker, own, kind, reason } }: { readonly row: PriceRow }) {
  const { t } = useTranslation('prices')
  return (
    <span className={classes.name}>
      {maker && <VendorMark id={maker} />}
      <span title={model}>{model}</span>
      {own && <Badge>{t('own')}</Badge>}
      {kind === 'unpriced' && (
        <Tip label={reason ?? t('unpricedHint')}>
          <Badge color="red" tabIndex={0}>
            {t('filter.unpriced')}
          </Badge>
        </Tip>
      )}
    </span>
  )
}
