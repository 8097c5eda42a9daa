import { entryPrices, numberOf } from '@tollgate/contract/price-formula'
import { datesOf, modelOf, type Ability, type ClassPrices, type Modality, type ModelKind } from '@tollgate/models'
import { makerOf } from '@tollgate/providers'

import type { Catalog, Channel } from '../../channels/catalog/catalog'
import { groupFactor } from '../../billing/pricing/variant'
import { aliasedModels } from '../../channels/routing/aliases'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Caller } from '../call'

/** What a caller can read of a model. Null: not known. */
export interface ListedModel {
  /** As the caller names it. */
  readonly id: string
  /** The vendor that made it, or that serves it. */
  readonly owner: string
  /** Unix seconds. */
  readonly createdAt: number
  /** As `2026-07-24`. */
  readonly retiresOn: string | null
  readonly kind: ModelKind | null
  readonly contextTokens: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
  readonly abilities: readonly Ability[]
  /** US dollars for the caller, with the factor of the group: for a million tokens, or as the class says. */
  readonly prices: ClassPrices | null
}

/** The date of models whose release is not known. */
const otherwiseCreated = 1_626_777_600

type Reader = Pick<Caller, 'group' | 'account'>

/** Returns what is known of a model or alias that the caller may call. */
export function listedModel(id: string, caller: Reader, catalog: Catalog): ListedModel {
  const [first, ...others] = aliasedModels(catalog, caller.group, id)
  if (first === undefined) return ownFacts(id, caller, catalog)
  const target = ownFacts(first, caller, catalog)
  return others
    .map((model) => ownFacts(model, caller, catalog))
    .reduce(combineFacts, { ...target, id, owner: siteOwner })
}

/** Aliases are made by the site. */
const siteOwner = 'site'

/** Returns what can be relied on whichever of two models serves. Prices differ, so there is one only where it is the same. */
const combineFacts = (one: ListedModel, other: ListedModel): ListedModel => ({
  ...one,
  retiresOn: null,
  kind: one.kind === other.kind ? one.kind : null,
  contextTokens: lesser(one.contextTokens, other.contextTokens),
  inputTokens: lesser(one.inputTokens, other.inputTokens),
  outputTokens: lesser(one.outputTokens, other.outputTokens),
  input: one.input.filter((modality) => other.input.includes(modality)),
  output: one.output.filter((modality) => other.output.includes(modality)),
  abilities: one.abilities.filter((ability) => other.abilities.includes(ability)),
  prices: JSON.stringify(one.prices) === JSON.stringify(other.prices) ? one.prices : null,
})

const lesser = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

function ownFacts(id: string, caller: Reader, catalog: Catalog): ListedModel {
  const candidate = priorityLevelsOf(catalog, caller.group, id)[0]?.candidates[0]
  const model = candidate?.model ?? id
  const known = modelOf(model)
  const { releasedOn, retiresOn } = datesOf(model)
  return {
    id,
    owner: makerOf(model)?.id ?? candidate?.channel.provider.id ?? 'custom',
    createdAt: releasedOn === null ? otherwiseCreated : Date.parse(releasedOn) / 1000,
    retiresOn,
    kind: known?.kind ?? null,
    contextTokens: known?.contextTokens ?? known?.inputTokens ?? null,
    inputTokens: known?.inputTokens ?? known?.contextTokens ?? null,
    outputTokens: known?.outputTokens ?? null,
    input: known?.input ?? ['text'],
    output: known?.output ?? ['text'],
    abilities: known?.abilities ?? [],
    prices: pricesFor(model, candidate?.channel, caller, catalog),
  }
}

function pricesFor(
  model: string,
  channel: Channel | undefined,
  { group, account }: Pick<Caller, 'group' | 'account'>,
  catalog: Catalog,
): ClassPrices | null {
  const price = catalog.prices.priceOf(model, {
    group,
    userGroup: account.group,
    acceptsUnpriced: account.acceptsUnpricedModels,
    upstreamModel: channel?.modelMapping.get(model),
    isOwnMachine: channel?.provider.isFree === true,
  })
  if (!price) return null
  const factor = groupFactor(price)
  const listed = Object.entries(entryPrices(price.entry))
  return Object.fromEntries(listed.map(([name, value]) => [name, value ? numberOf(value) * factor : 0]))
}
