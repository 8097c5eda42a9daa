import { Text } from '@mantine/core'
import { pricingRoutes, unitClasses, unitPriceText, type ClassPrices, type PriceClass } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { usePriceText } from '../../domain/price/use-price-text'
import { priceOf } from '../../lib/text/price-entry/variant'
import { useEnvelope } from '../../lib/api/query'

interface ModelPriceProps {
  readonly model: string
  readonly group: string
}

/** What the model costs in this group: `Input $0.15/M · Output $0.60/M`. Nothing where the price list does not say. */
export function ModelPrice({ model, group }: ModelPriceProps) {
  const { className } = usePriceText()
  const { data: list } = useEnvelope(pricingRoutes.pricing, undefined, { staleTime: 60_000 })
  const row = list?.data.find(({ model_name: name }) => name === model)
  const ratio = list?.envelopeFields.group_ratio[group]
  if (!row || ratio === undefined) return null
  const { prices } = inPrices(row.entry)
  const parts = mainClasses(prices).map(
    (name) => `${className(name)} ${unitPriceText(name, (priceOf(prices, name) ?? 0) * ratio)}`,
  )
  return (
    <Text size="xs" c="dimmed" className="figures">
      {parts.join(' · ')}
    </Text>
  )
}

/** A price per call replaces those of tokens; output without a price costs what input does. */
function mainClasses(prices: ClassPrices): readonly PriceClass[] {
  if (prices.per_call !== undefined) return ['per_call']
  const tokens: readonly PriceClass[] = prices.input === undefined ? [] : ['input', 'output']
  return [...tokens, ...unitClasses.filter((name) => prices[name] !== undefined)]
}
