import type { channelPriceRoutes } from '@tollgate/contract'

import {
  completionRatioOf,
  numberOf,
  outputPriceOf,
  priceOfRatio,
  priceText,
  ratioOfPrice,
  ratioText,
} from './price-conversion'

import {
  partFault,
  partRatio,
  partRatiosOf,
  partTables,
  type PriceDraft,
  type PriceField,
  type PriceKind,
  type PricePart,
  priceParts,
} from './price-parts'

type ModelPrice = channelPriceRoutes.ModelPrice

export function draftOf({ model, kind, parts, ...price }: ModelPrice): PriceDraft {
  const isByToken = kind === 'per-token'
  return {
    model,
    kind: kind === 'per-call' ? 'per-call' : 'per-token',
    input: isByToken ? priceText(priceOfRatio(price.model_ratio)) : '',
    output: isByToken ? priceText(outputPriceOf(price.model_ratio, price.completion_ratio)) : '',
    ratio: isByToken ? ratioText(price.model_ratio) : '',
    completion: isByToken ? ratioText(price.completion_ratio) : '',
    fixed: kind === 'per-call' ? ratioText(price.model_price) : '',
    isByPrice: false,
    isChanged: false,
    isBaseChanged: false,
    isReset: false,
    partRatios: partRatiosOf(parts),
    typedParts: {},
  }
}

export const blankDraft = (model: string): PriceDraft =>
  draftOf({ model, kind: 'unpriced', model_ratio: 0, completion_ratio: 0, model_price: 0, parts: null })

export const withKind = (draft: PriceDraft, kind: PriceKind): PriceDraft =>
  draft.kind === kind && !draft.isReset
    ? draft
    : { ...draft, kind, isChanged: true, isBaseChanged: true, isReset: false }

export const withReset = (draft: PriceDraft): PriceDraft => ({
  ...draft,
  isChanged: true,
  isReset: true,
  typedParts: {},
})

/** Applies typed text to one field; dependent fields follow where possible. */
export function applyText(draft: PriceDraft, field: PriceField, text: string): PriceDraft {
  const next = { ...draft, [field]: text, isChanged: true, isBaseChanged: true, isReset: false }
  switch (field) {
    case 'fixed':
      return next
    case 'input':
      return { ...next, ...ratioOf(next), ...completionOf({ ...next, ...ratioOf(next) }), isByPrice: true }
    case 'output':
      return { ...next, ...completionOf(next), isByPrice: true }
    default:
      return { ...next, ...pricesOf(next), isByPrice: false }
  }
}

function ratioOf({ input }: PriceDraft) {
  const price = numberOf(input)
  return price === undefined ? {} : { ratio: ratioText(ratioOfPrice(price)) }
}

function completionOf({ ratio, output }: PriceDraft) {
  const model = numberOf(ratio)
  const price = numberOf(output)
  if (model === undefined || price === undefined) return {}
  const factor = completionRatioOf(model, price)
  return factor === undefined ? {} : { completion: ratioText(factor) }
}

function pricesOf({ ratio, completion }: PriceDraft) {
  const model = numberOf(ratio)
  const factor = numberOf(completion)
  return {
    input: model === undefined ? '' : priceText(priceOfRatio(model)),
    output: model === undefined || factor === undefined ? '' : priceText(outputPriceOf(model, factor)),
  }
}

/** Why a price cannot be stored: the texts under `prices.fault`. */
type PriceFault = 'number' | 'zero' | 'noBase'

type PriceFaults = Partial<Record<PriceField | PricePart, PriceFault>>

export function draftFaults(draft: PriceDraft): PriceFaults {
  if (!draft.isChanged || draft.isReset) return {}
  const faults: PriceFaults = draft.isBaseChanged ? baseFaults(draft) : {}
  for (const part of priceParts) {
    const fault = partFault(draft, part)
    if (fault) faults[part] = fault
  }
  return faults
}

function baseFaults(draft: PriceDraft): PriceFaults {
  if (draft.kind === 'per-call') return numberOf(draft.fixed) === undefined ? { fixed: 'number' } : {}
  const fields = draft.isByPrice ? (['input', 'output'] as const) : (['ratio', 'completion'] as const)
  const faults: PriceFaults = {}
  for (const field of fields) if (numberOf(draft[field]) === undefined) faults[field] = 'number'
  if (!draft.isByPrice) return faults
  if (draft.input.trim() === '' || (!faults.input && numberOf(draft.ratio) === 0)) faults.input = 'zero'
  if (!faults.input && numberOf(draft.completion) === undefined) faults.output = 'number'
  return faults
}

export const hasFaults = (draft: PriceDraft): boolean => Object.keys(draftFaults(draft)).length > 0

export const tableNames = ['ModelRatio', 'CompletionRatio', 'ModelPrice', ...Object.values(partTables)] as const
type TableName = (typeof tableNames)[number]

/** The stored price options of the operator, by model. */
export type PriceTables = Readonly<Record<TableName, Readonly<Record<string, number>>>>

/**
 * Returns the tables with the changed drafts. A price by tokens removes the fixed one, which would take precedence; a fixed one keeps the
 * ratios for when it is removed.
 */
export function withDrafts(tables: PriceTables, drafts: readonly PriceDraft[]): PriceTables {
  const next = { ...tables }
  const set = (name: TableName, model: string, value: number | null) => {
    next[name] =
      value === null
        ? Object.fromEntries(Object.entries(next[name]).filter(([other]) => other !== model))
        : { ...next[name], [model]: value }
  }
  for (const draft of drafts) {
    const { model } = draft
    if (!draft.isChanged) continue
    if (draft.isReset) for (const name of tableNames) set(name, model, null)
    else if (draft.kind === 'per-call') set('ModelPrice', model, numberOf(draft.fixed) ?? 0)
    else {
      if (draft.isBaseChanged) {
        set('ModelPrice', model, null)
        set('ModelRatio', model, numberOf(draft.ratio) ?? 0)
        set('CompletionRatio', model, numberOf(draft.completion) ?? 0)
      }
      for (const part of priceParts)
        if (draft.typedParts[part] !== undefined) set(partTables[part], model, partRatio(draft, part))
    }
  }
  return next
}
