import type { ClassPrices, PriceClass } from '@tollgate/contract'

import { useTranslation } from '../../lib/i18n'
import { exactPriceText } from '../../lib/prices'
import { tokensText } from '../../lib/tokens-text'
import classes from './price.module.css'
import { usePriceWords } from './use-price-words'

interface PriceMatrixProps {
  readonly label: string
  readonly classes: readonly PriceClass[]
  /** Input tokens above which other prices begin, the lowest first. */
  readonly bounds: readonly number[]
  /** The prices of a call with so many input tokens. */
  readonly pricesFor: (inputTokens: number) => ClassPrices
  /** On every price. */
  readonly factor: number
}

/** Prices of classes, a column for each length of input that has its own. */
export function PriceMatrix({ label, classes: names, bounds, pricesFor, factor }: PriceMatrixProps) {
  const { t } = useTranslation('price-entry')
  const { className, per } = usePriceWords()
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
                <td key={above}>{prices[name] === undefined ? '–' : exactPriceText(prices[name] * factor)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
