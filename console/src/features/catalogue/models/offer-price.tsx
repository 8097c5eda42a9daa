import { Text } from '@mantine/core'
import type { PriceClass } from '@tollgate/contract'

import { FurtherPrice, TierPrices } from '../../../domain/price/tier-prices'
import { usePriceText } from '../../../domain/price/use-price-text'
import { Tip } from '../../../components/tip'
import { formatDecimal } from '../../../lib/text/format'
import { unitOf } from '../../../lib/text/price-entry/billing'
import { listedPrice, priceOf } from '../../../lib/text/price-entry/variant'
import { exactPriceText, priceText } from '../../../lib/text/prices'
import { classIn, listedIn, type Offer } from './offers'
import classes from './models.module.css'
import type { PriceColumn } from './model-search'

interface OfferPriceProps {
  readonly offer: Pick<Offer, 'entry' | 'factor'>
  readonly column: PriceColumn
}

/** One price, with those of long inputs below, and how it was computed. */
export function OfferPrice({ offer, column }: OfferPriceProps) {
  const { entry, factor } = offer
  const name = classIn(offer, column)
  const price = listedIn(offer, column)
  if (name === undefined || price === undefined || factor === undefined) return <NoPrice />
  const hour = column === 'write' ? listedPrice(entry.prices, 'cache_write_1h') : undefined
  return (
    <span className={classes.price}>
      <Figure name={name} price={price} factor={factor} />
      {hour !== undefined && <FurtherPrice name="1 h" price={hour * factor} />}
      <TierPrices entry={entry} name={name} factor={factor} />
    </span>
  )
}

const NoPrice = () => (
  <Text inherit span c="dimmed">
    {'–'}
  </Text>
)

interface FigureProps {
  readonly name: PriceClass
  readonly price: number
  readonly factor: number
}

function Figure({ name, price, factor }: FigureProps) {
  const { className, per } = usePriceText()
  const isOfTokens = unitOf(name) === 'million-tokens'
  const factors = factor === 1 ? '' : `${exactPriceText(price)} × ${formatDecimal(factor)} = `
  return (
    <Tip label={<span className="figures">{`${className(name)}: ${factors}${exactPriceText(price * factor)}`}</span>}>
      <span className="figures" tabIndex={0}>
        {priceText(price * factor)}
        {!isOfTokens && <span className={classes.per}>{per(name)}</span>}
      </span>
    </Tip>
  )
}

interface GroupPriceProps {
  readonly offer: Offer
  readonly group: string
  readonly ratio: number
}

/** Input and output prices in one group, without output for a model that has none, or the unit price. */
export function GroupPrice({ offer, group, ratio }: GroupPriceProps) {
  if (!offer.enable_groups.includes(group))
    return (
      <Text inherit span c="dimmed">
        {'–'}
      </Text>
    )
  const { entry, kind } = offer
  if (kind !== 'volume') return <OfferPrice offer={{ entry, factor: ratio }} column="unit" />
  const { output } = entry.prices
  return (
    <span className="figures">
      {priceText((priceOf(entry.prices, 'input') ?? 0) * ratio)}
      {output !== undefined && (
        <>
          <Text inherit span c="dimmed">
            {' / '}
          </Text>
          {priceText(output * ratio)}
        </>
      )}
    </span>
  )
}
