import { Text } from '@mantine/core'

import { pricesOf, priceText } from '../../lib/prices'
import type { Offer } from './offers'

interface GroupPriceProps {
  readonly offer: Offer
  readonly group: string
  readonly ratio: number
}

/** Input and output in one group, or what a call costs there. */
export function GroupPrice({ offer, group, ratio }: GroupPriceProps) {
  if (!offer.enable_groups.includes(group))
    return (
      <Text inherit span c="dimmed">
        {'–'}
      </Text>
    )
  const prices = pricesOf(offer, ratio)
  if (prices.kind === 'call') return <span className="figures">{priceText(prices.call)}</span>
  return (
    <span className="figures">
      {priceText(prices.input)}
      <Text inherit span c="dimmed">
        {' / '}
      </Text>
      {priceText(prices.output)}
    </span>
  )
}
