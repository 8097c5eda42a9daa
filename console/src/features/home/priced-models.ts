import type { pricingRoutes } from '@tollgate/contract'

import { billingOf } from '../../lib/text/price-entry/billing'
import { priceOf } from '../../lib/text/price-entry/variant'

export interface PricedModel {
  readonly name: string
  /** The model's maker, as in the row. */
  readonly maker: string
  /** US dollars per million tokens. */
  readonly input: number
  readonly output: number
}

/**
 * Returns the models priced by tokens that one group may call, without retired ones: the newest chats of each maker first, alternating between
 * makers so that a long list of one does not hide the others, those of unknown makers last. The group is the reader's, or else `default`, or else the first.
 */
export function pricedModels(
  rows: readonly pricingRoutes.PricingRow[],
  ratios: Readonly<Record<string, number>>,
  ownGroup: string | undefined,
): PricedModel[] {
  const groups = Object.keys(ratios)
  const group = [ownGroup, 'default', groups[0]].find((name) => name !== undefined && groups.includes(name))
  if (group === undefined) return []
  const byMaker = Map.groupBy(
    rows
      .filter((row) => !row.is_retired && row.enable_groups.includes(group) && billingOf(row.entry) === 'volume')
      .toSorted(
        (one, other) => Number(isChat(other)) - Number(isChat(one)) || releaseOf(other).localeCompare(releaseOf(one)),
      ),
    ({ owned_by: maker }) => maker,
  )
  const unknown = byMaker.get('') ?? []
  byMaker.delete('')
  const known = [...byMaker.values()].toSorted((one, other) => other.length - one.length)
  const queues = [...known, unknown]
  const maxLength = Math.max(...queues.map(({ length }) => length))
  return Array.from({ length: maxLength }, (_, index) => queues.map((queue) => queue[index]))
    .flat()
    .flatMap((row) => (row ? [pricedModel(row, ratios[group] ?? 1)] : []))
}

/** Unknown models count as chats. */
const isChat = ({ facts }: pricingRoutes.PricingRow) => facts === null || facts.kind === 'chat'

const releaseOf = ({ released_on: day }: pricingRoutes.PricingRow) => day ?? ''

const pricedModel = (
  { model_name: name, owned_by: maker, entry: { prices } }: pricingRoutes.PricingRow,
  ratio: number,
): PricedModel => ({
  name,
  maker,
  input: (priceOf(prices, 'input') ?? 0) * ratio,
  output: (priceOf(prices, 'output') ?? 0) * ratio,
})
