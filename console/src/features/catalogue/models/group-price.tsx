import { Text } from '@mantine/core'

import { priceOf } from '../../../lib/text/price-entry/variant'
import { priceText } from '../../../lib/text/prices'
import { OfferPrice } from './offer-price'
import type { Offer } from './offer'

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
