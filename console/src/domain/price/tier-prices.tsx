import type { PriceClass, PriceEntry } from '@tollgate/contract'

import { listedPrice, tierBounds, variantOf } from '../../lib/text/price-entry/variant'
import { exactPriceText, tokensText } from '../../lib/text/prices'
import classes from './price.module.css'

interface TierPricesProps {
  readonly entry: PriceEntry
  readonly name: PriceClass
  /** Multiplier of the group for every price. */
  readonly factor: number
}

const maxTiers = 2

/** The price of a class for each range of input lengths. */
export function TierPrices({ entry, name, factor }: TierPricesProps) {
  const base = listedPrice(entry.prices, name)
  const tiers = tierBounds(entry).map((above) => ({
    above,
    price: listedPrice(variantOf(entry, { inputTokens: above + 1 }).prices, name),
  }))
  const changing = tiers.filter(({ price }, index) => price !== (index === 0 ? base : tiers[index - 1]?.price))
  const rest = changing.length - maxTiers
  return (
    <>
      {changing
        .slice(0, maxTiers)
        .map(
          ({ above, price }) =>
            price !== undefined && <FurtherPrice key={above} name={`>${tokensText(above)}`} price={price * factor} />,
        )}
      {rest > 0 && <span className={classes.further}>{`+${rest}`}</span>}
    </>
  )
}

/** A secondary price below the first. */
export const FurtherPrice = ({ name, price }: { readonly name: string; readonly price: number }) => (
  <span className={classes.further}>
    {name} <span className="figures">{exactPriceText(price)}</span>
  </span>
)
