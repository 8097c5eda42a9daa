import type { PriceClass, priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { CellInput } from '../../../components/fields/cell-input'
import { TierPrices } from '../../../domain/price/tier-prices'
import { usePriceText } from '../../../domain/price/use-price-text'
import { listedPrice, withOutput } from '../../../lib/text/price-entry/variant'
import { useTranslation } from '../../../lib/text/i18n'
import { priceText } from '../../../lib/text/prices'
import type { PriceWrites } from './price-data'
import { classOfColumn, type EditedColumn } from './edited-columns'
import classes from './prices.module.css'

interface PriceCellProps {
  readonly row: priceRoutes.PriceRow
  readonly column: EditedColumn
  /** Undefined for readers without write access. */
  readonly writes: PriceWrites | undefined
}

/** A price edited in place, in dollars; the operator's own prices are highlighted. */
export function PriceCell({ row, column, writes }: PriceCellProps) {
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
export function hasPrice(row: priceRoutes.PriceRow, column: EditedColumn): boolean {
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
