import type { ErrorCode, OptionKey, OptionValues, PhraseParams } from '@tollgate/contract'

import type { Catalog } from '../../channels/catalog/catalog'
import { AppError } from '../../platform/app-error'
import type { Proposal } from './option-rules'

/**
 * Refuses aliases and chains that cannot work: what leads back to itself, and models that no channel serves or that have no price. Only those
 * that change are looked at, so that others can be changed after a model went away.
 * @throws AppError of the `alias.`, `chain.` and `target.` families.
 */
export function checkSiteModels({ before, after, changed }: Proposal, catalog: Catalog): void {
  if (changed.has('ModelAliases'))
    for (const name of changedNames(before.ModelAliases, after.ModelAliases)) checkAlias(name, after, catalog)
  if (changed.has('ModelAliases') || changed.has('ModelChains'))
    for (const name of Object.keys(after.ModelChains)) {
      const isChanged = isDifferent(before.ModelChains[name], after.ModelChains[name])
      checkChain(name, after, isChanged ? catalog : null)
    }
}

const changedNames = (before: Named, after: Named): readonly string[] =>
  Object.keys(after).filter((name) => isDifferent(before[name], after[name]))

type Named = Readonly<Record<string, unknown>>

const isDifferent = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)

type NamedModels = Pick<OptionValues, 'ModelAliases' | 'ModelChains'>

function checkAlias(alias: string, { ModelAliases }: NamedModels, catalog: Catalog): void {
  if (isServed(catalog, alias)) throw refusal('ModelAliases', 'alias.model', { alias })
  const models = new Set(ModelAliases[alias]?.flatMap(({ targets }) => targets.map(({ model }) => model)))
  for (const model of models) {
    if (model in ModelAliases) throw refusal('ModelAliases', 'alias.nested', { alias, model })
    checkTarget('ModelAliases', { name: alias, model }, catalog)
  }
}

/** `catalog`: null for a chain that did not change itself. */
function checkChain(model: string, { ModelAliases, ModelChains }: NamedModels, catalog: Catalog | null): void {
  const isAlias = model in ModelAliases
  if (catalog && !isAlias && !isListed(catalog, model)) throw refusal('ModelChains', 'chain.named', { model })
  for (const target of ModelChains[model]?.models ?? []) {
    if (target === model) throw refusal('ModelChains', 'chain.loop', { model })
    if (target in ModelAliases) throw refusal('ModelChains', 'chain.alias', { model, target })
    if (catalog) checkTarget('ModelChains', { name: model, model: target }, catalog)
  }
}

interface Target {
  /** The alias, or the model whose chain it is. */
  readonly name: string
  readonly model: string
}

function checkTarget(key: OptionKey, { name, model }: Target, catalog: Catalog): void {
  const candidates = [...catalog.routes.values()]
    .flatMap((models) => models.get(model) ?? [])
    .flatMap((level) => level.candidates)
  if (candidates.length === 0) throw refusal(key, 'target.unserved', { name, model })
  const isPriced = candidates.some(
    ({ model: bare, channel: { modelMapping, provider } }) =>
      catalog.prices.entryOf(bare, modelMapping.get(bare), provider.isFree === true) !== null,
  )
  if (!isPriced) throw refusal(key, 'target.unpriced', { name, model })
}

const isServed = (catalog: Catalog, model: string): boolean =>
  [...catalog.routes.values()].some((models) => models.has(model))

/** Returns whether any channel lists the model, a disabled one too: a chain is for when it does not serve. */
const isListed = (catalog: Catalog, model: string): boolean =>
  [...catalog.channels.values()].some(
    ({ modelPrefix, models }) => model.startsWith(modelPrefix) && models.includes(model.slice(modelPrefix.length)),
  )

const refusal = (field: OptionKey, code: ErrorCode, params: PhraseParams): AppError =>
  new AppError(code, { params, envelopeFields: { field } })
