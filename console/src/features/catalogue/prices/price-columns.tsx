import { Badge } from '@mantine/core'
import type { PriceClass, priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import type { Column } from '../../../components/data-table/types'
import { Tip } from '../../../components/tip'
import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { priceText } from '../../../lib/text/prices'
import { useFormat } from '../../../lib/text/use-format'
import {
  classOfColumn,
  CostRange,
  type EditedColumn,
  editedColumns,
  hasCost,
  hasMargin,
  ListPrice,
  Margin,
} from './price-figures'
import classes from './prices.module.css'
import type { PriceWrites } from './price-data'
import { CellInput } from '../../../components/fields/cell-input'
import { TierPrices } from '../../../domain/price/tier-prices'
import { usePriceText } from '../../../domain/price/use-price-text'
import { listedPrice, withOutput } from '../../../lib/text/price-entry/variant'

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
      <VendorMark id={maker} name={maker || model} />
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

interface PriceCellProps {
  readonly row: priceRoutes.PriceRow
  readonly column: EditedColumn
  /** Undefined for readers without write access. */
  readonly writes: PriceWrites | undefined
}

/** A price edited in place, in dollars; the operator's own prices are highlighted. */
function PriceCell({ row, column, writes }: PriceCellProps) {
  const { t } = useTranslation('prices')
  const { className, per } = usePriceText()
  const name = classOfColumn(row, column)
  if (!name) return <span className={classes.none}>{'–'}</span>
  const sale = row.sale && inPrices(row.sale)
  const price = sale?.prices[name]
  const listed = sale ? listedPrice(withOutput(sale).prices, name) : undefined
  const unit = per(name)
  return (
    <span className={classes.price} data-is-own={isOwn(row, name) || undefined}>
      {writes ? (
        <CellInput
          label={t('priceOf', { price: className(name), model: row.model })}
          shown={price === undefined ? '' : priceText(price)}
          // What follows from other prices is charged too.
          placeholder={price === undefined && listed !== undefined ? priceText(listed) : undefined}
          inputMode="decimal"
          digits={7}
          read={(typed) => readPrice(typed, t('notAPrice'))}
          onSave={(value) => writes.setPrice(row, name, value)}
        />
      ) : (
        <span className="figures">{listed === undefined ? '–' : priceText(listed)}</span>
      )}
      {unit && <span className={classes.unit}>{unit}</span>}
      {sale && listed !== undefined && <TierPrices entry={sale} name={name} factor={1} />}
    </span>
  )
}

/** Whether the model has a price in this column. */
function hasPrice(row: priceRoutes.PriceRow, column: EditedColumn): boolean {
  const name = classOfColumn(row, column)
  return (
    name !== undefined && row.sale !== null && listedPrice(withOutput(inPrices(row.sale)).prices, name) !== undefined
  )
}

const isOwn = ({ own }: priceRoutes.PriceRow, name: PriceClass): boolean =>
  own !== null && (own.entry.prices[name] !== undefined || Object.hasOwn(own.entry.ratios ?? {}, name))

const maxPrice = 2_000_000_000

/** Empty: the list price again. */
function readPrice(typed: string, fault: string): { readonly value: number | null } | { readonly fault: string } {
  const text = typed.replace(/^\$/, '').replaceAll(',', '')
  if (text === '') return { value: null }
  const price = Number(text)
  return Number.isFinite(price) && price >= 0 && price <= maxPrice ? { value: price } : { fault }
}
