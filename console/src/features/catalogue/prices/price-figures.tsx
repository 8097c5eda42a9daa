import { Badge, Text } from '@mantine/core'
import type { PriceClass, priceRoutes } from '@tollgate/contract'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { exactPriceText, priceText } from '../../../lib/text/prices'
import { useFormat } from '../../../lib/text/use-format'
import { differenceOf } from './own-entry'
import classes from './prices.module.css'

type Row = priceRoutes.PriceRow

const NoPrice = () => <span className={classes.none}>{'–'}</span>

/** A share with its sign: +20%, −5%. */
export function Difference({ share }: { readonly share: number | undefined }) {
  const { share: percent } = useFormat()
  if (share === undefined || Math.abs(share) < 0.0005) return null
  return (
    <Badge color={share > 0 ? 'orange' : 'blue'} className="figures">
      {`${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`}
    </Badge>
  )
}

/** The list price, and our difference from it. */
export function ListPrice({ row }: { readonly row: Row }) {
  const { list, mix, list_mix: listMix } = row
  const name = list && classOfColumn({ kind: kindOfList(row) }, 'input')
  const price = name ? list?.prices[name] : undefined
  if (!list || price === undefined) return <NoPrice />
  const output = name === 'input' ? list.prices.output : undefined
  return (
    <span className={classes.price}>
      <span className="figures">
        {priceText(price)}
        {output !== undefined && <span className={classes.none}>{' / '}</span>}
        {output !== undefined && priceText(output)}
      </span>
      <Difference share={differenceOf(mix, listMix)} />
    </span>
  )
}

const kindOfList = ({ list, kind }: Row): Row['kind'] => (list?.prices.input === undefined ? kind : 'tokens')

/** Cost of the typical mix at the cheapest and the most expensive channel; none where it is only assumed to be the list price. */
export function CostRange({ row: { cheapest, dearest } }: { readonly row: Row }) {
  const { t } = useTranslation('prices')
  if (!cheapest || !dearest) return <NoPrice />
  if (isAssumed(dearest) && isAssumed(cheapest))
    return (
      <Tip label={t('assumed', { cost: exactPriceText(dearest.mix) })}>
        <span className={classes.none} tabIndex={0}>
          {'–'}
        </span>
      </Tip>
    )
  const isOne = cheapest.mix === dearest.mix
  const describeCost = (cost: priceRoutes.ChannelCost) =>
    `${cost.channel_name}: ${exactPriceText(cost.mix)} (${t(`costKind.${cost.kind}`)})`
  const channels = cheapest.channel_id === dearest.channel_id ? [cheapest] : [cheapest, dearest]
  const label = [...channels.map(describeCost), t('mixHint')].join('\n')
  return (
    <Tip label={label}>
      <span className="figures" tabIndex={0}>
        {isOne ? priceText(cheapest.mix) : `${priceText(cheapest.mix)}–${priceText(dearest.mix).slice(1)}`}
      </span>
    </Tip>
  )
}

/** Whether a cost is known, not assumed. */
export const hasCost = ({ cheapest, dearest }: Row): boolean =>
  cheapest !== null && dearest !== null && !(isAssumed(cheapest) && isAssumed(dearest))

export const hasMargin = ({ margin, dearest }: Pick<Row, 'margin' | 'dearest'>): boolean =>
  margin !== null && (Math.abs(margin) >= 0.0005 || (dearest !== null && !isAssumed(dearest)))

const isAssumed = ({ kind }: priceRoutes.ChannelCost): boolean => kind === 'list'

interface MarginProps {
  readonly margin: number | null
  /** The channel whose cost it is of. */
  readonly at: priceRoutes.ChannelCost | null
}

/** Margin at the channel with the highest cost; losses are highlighted. None where the cost is only assumed and the price is the same. */
export function Margin({ margin, at }: MarginProps) {
  const { share } = useFormat()
  if (!hasMargin({ margin, dearest: at }) || margin === null) return <NoPrice />
  return (
    <Text inherit span className="figures" c={margin < 0 ? 'var(--bad-text)' : margin < 0.0005 ? 'dimmed' : undefined}>
      {`${margin < 0 ? '−' : ''}${share(Math.abs(margin))}`}
    </Text>
  )
}

/** Prices that are edited in the table itself. */
export const editedColumns = [
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
] as const satisfies readonly PriceClass[]
export type EditedColumn = (typeof editedColumns)[number]

const unitClasses = {
  call: 'per_call',
  image: 'per_image',
  second: 'per_second',
  character: 'per_character',
} as const satisfies Partial<Record<priceRoutes.BillingKind, PriceClass>>

/** Returns the class that a column shows for a model: the first column has the unit price where it is not billed by tokens. */
export function classOfColumn(
  { kind }: Pick<priceRoutes.PriceRow, 'kind'>,
  column: EditedColumn,
): PriceClass | undefined {
  if (kind === 'tokens' || kind === 'unpriced') return column
  return column === 'input' ? unitClasses[kind] : undefined
}
