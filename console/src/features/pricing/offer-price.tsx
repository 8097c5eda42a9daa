import { Text } from '@mantine/core'
import type { PriceClass } from '@tollgate/contract'

import { usePriceWords } from '../../components/price/use-price-words'
import { Tip } from '../../components/tip'
import { formatDecimal } from '../../lib/format'
import { unitOf } from '../../lib/price-entry/billing'
import { tierBounds, variantOf } from '../../lib/price-entry/variant'
import { exactPriceText, priceText } from '../../lib/prices'
import { tokensText } from '../../lib/tokens-text'
import { classIn, type Offer } from './offers'
import classes from './pricing.module.css'
import type { PriceColumn } from './pricing-search'

interface OfferPriceProps {
  readonly offer: Pick<Offer, 'entry' | 'factor'>
  readonly column: PriceColumn
}

/** One price, with what it is for long inputs beneath, and how it came about. */
export function OfferPrice({ offer, column }: OfferPriceProps) {
  const { entry, factor } = offer
  const name = classIn(offer, column)
  const price = name && entry.prices[name]
  if (name === undefined || price === undefined || factor === undefined) return <NoPrice />
  const hour = column === 'write' ? entry.prices.cache_write_1h : undefined
  return (
    <span className={classes.price}>
      <Figure name={name} price={price} factor={factor} />
      {hour !== undefined && <Further name="1 h" price={hour * factor} />}
      <TierPrices offer={offer} name={name} price={price} factor={factor} />
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
  const { className, per } = usePriceWords()
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

const mostTiers = 2

/** The prices of this class above each length that changes it. */
function TierPrices({
  offer: { entry },
  name,
  price,
  factor,
}: FigureProps & { readonly offer: OfferPriceProps['offer'] }) {
  const tiers = tierBounds(entry).map((above) => ({
    above,
    price: variantOf(entry, { inputTokens: above + 1 }).prices[name] ?? price,
  }))
  const changing = tiers.filter((tier, place) => tier.price !== (tiers[place - 1]?.price ?? price))
  const rest = changing.length - mostTiers
  return (
    <>
      {changing.slice(0, mostTiers).map((tier) => (
        <Further key={tier.above} name={`>${tokensText(tier.above)}`} price={tier.price * factor} />
      ))}
      {rest > 0 && <span className={classes.further}>{`+${rest}`}</span>}
    </>
  )
}

const Further = ({ name, price }: { readonly name: string; readonly price: number }) => (
  <span className={classes.further}>
    {name} <span className="figures">{priceText(price)}</span>
  </span>
)
