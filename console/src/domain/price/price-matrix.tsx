import type { ClassPrices, PriceClass } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { exactPriceText } from '../../lib/text/prices'
import { listedPrice } from '../../lib/text/price-entry/variant'
import { tokensText } from '../../lib/text/tokens-text'
import classes from './price.module.css'
import { usePriceText } from './use-price-text'

interface PriceMatrixProps {
  readonly label: string
  readonly classes: readonly PriceClass[]
  /** Input lengths above which other prices apply, ascending. */
  readonly bounds: readonly number[]
  /** Returns the prices of a call with this many input tokens. */
  readonly pricesFor: (inputTokens: number) => ClassPrices
  /** Multiplier for every price. */
  readonly factor: number
}

/** Prices of classes, a column for each range of input lengths. */
export function PriceMatrix({ label, classes: names, bounds, pricesFor, factor }: PriceMatrixProps) {
  const { t } = useTranslation('price-entry')
  const { className, per } = usePriceText()
  const columns = [0, ...bounds].map((above, place) => ({
    above,
    title: titleOf(place, bounds),
    prices: pricesFor(above + 1),
  }))
  function titleOf(place: number, bounds: readonly number[]): string {
    const bound = bounds[place - 1] ?? bounds[0]
    if (bound === undefined) return t('allLengths')
    return t(place === 0 ? 'upTo' : 'above', { tokens: tokensText(bound) })
  }
  return (
    <div className={classes.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <td />
            {columns.map(({ above, title }) => (
              <th key={above} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">
                {className(name)}
                {per(name) && <span className={classes.unit}>{per(name)}</span>}
              </th>
              {columns.map(({ above, prices }) => (
                <td key={above}>{textOf(listedPrice(prices, name), factor)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const textOf = (price: number | undefined, factor: number) =>
  price === undefined ? '–' : exactPriceText(price * factor)
