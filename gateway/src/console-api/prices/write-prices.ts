import { numberOf, quotient, entryPrices } from '@tollgate/contract/price-formula'
import type { ClassPrices, PriceEntry, priceRoutes, RouteInput } from '@tollgate/contract'
import { priceClasses, type PriceClass } from '@tollgate/models'

import { lockPrices, removePrices, storePrices, type PriceWrite } from '../../billing/pricing/price-store'
import { typicalPrice } from '../../billing/pricing/price-view'
import { resolvePrice } from '../../billing/pricing/resolve-price'
import { groupFactor } from '../../billing/pricing/variant'
import type { Call, SiteChange } from '../../http/handler'
import { highestCost, readPriceView, rowOf, selectPrices, shownList } from './find-prices'

/** Own entries after the change; null removes one. */
export type OwnEntries = ReadonlyMap<string, PriceEntry | null>

/** Stores and removes rows together, and puts them in force. Resolves with how many rows were removed. */
export async function writePrices(
  {
    writes,
    removals = [],
  }: { writes: readonly PriceWrite[]; removals?: readonly { channelId: number; model: string }[] },
  call: Pick<SiteChange, 'caller' | 'ctx'>,
): Promise<number> {
  const { ctx, caller } = call
  const removed = await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, writes, { source: 'own', username: caller.username }, transaction)
    return removePrices(removals, transaction)
  })
  await ctx.changes.deliver()
  return removed
}

/** The most rows in a response to a write. */
const maxShown = 100

export async function putPrices(
  { items }: RouteInput<typeof priceRoutes.putPrices>['body'],
  call: Call<'user'>,
): Promise<priceRoutes.PriceRow[]> {
  const entries = new Map(items.map(({ model, entry }) => [model, entry]))
  await writeOwn(entries, call)
  const models = [...entries.keys()].slice(0, maxShown)
  const view = await viewFor(call, models)
  return models.map((model) => rowOf(view, model))
}

export async function deletePrices(models: readonly string[], call: Call<'user'>): Promise<number> {
  return writeOwn(new Map(models.map((model) => [model, null])), call)
}

/** Stores own entries; the audit log has their previous values. Resolves with how many were removed. */
export async function writeOwn(entries: OwnEntries, call: SiteChange): Promise<number> {
  const { book } = call.ctx.catalog.current.prices
  const before = Object.fromEntries([...entries.keys()].map((model) => [model, book.own(model)]))
  const after = Object.fromEntries(entries)
  const [only] = entries.size === 1 ? entries.keys() : []
  call.audit.target('price', only ?? `${entries.size}`, only ?? '')
  if (entries.size <= maxShown) call.audit.recordChange(before, after)
  const all = [...entries].map(([model, entry]) => ({ channelId: 0, model, entry }))
  return writePrices(
    {
      writes: all.flatMap(({ entry, ...key }) => (entry ? [{ ...key, entry }] : [])),
      removals: all.filter(({ entry }) => entry === null),
    },
    call,
  )
}

/** The first changes that a preview shows. */
const maxPreviewed = 200

type Bulk = RouteInput<typeof priceRoutes.bulkPrices>['body']

export async function bulkPrices(body: Bulk, call: Call<'user'>) {
  const models = body.models ?? (await selectedModels(body.select ?? {}, call))
  const entryOf = await bulkEntry(body, call)
  const entries = new Map<string, PriceEntry>()
  const skipped: string[] = []
  for (const model of models) {
    const own = call.ctx.catalog.current.prices.book.own(model)
    const entry = entryOf(model, own)
    if (!entry) skipped.push(model)
    else if (JSON.stringify(entry) !== JSON.stringify(own)) entries.set(model, entry)
  }
  if (!body.preview && entries.size > 0) await writeOwn(entries, call)
  return { ...changesOf(entries, call), skipped }
}

/** Resolves with a function that returns the own entry for a model; null where there is no price to multiply. */
async function bulkEntry({ base, factor = 1, classes, set }: Bulk, call: Call<'user'>) {
  if (set) return (_model: string, own: PriceEntry | null) => withPrices(own, set)
  const multiply = (from: PriceEntry | null, own: PriceEntry | null, times = factor) =>
    from && multiplyPrices(from, own, { factor: times, classes })
  const prices = call.ctx.catalog.current.prices
  if (base === 'list') return (model: string, own: PriceEntry | null) => multiply(shownList(prices, model), own)
  if (base === 'current') return (model: string, own: PriceEntry | null) => multiply(prices.entryOf(model), own)
  const view = await viewFor(call)
  return (model: string, own: PriceEntry | null) => {
    const cost = highestCost(view, model)
    return cost && multiply(cost.entry, own, quotient(factor * groupFactor(cost), 1))
  }
}

/** Returns an own entry with these prices replacing those of the same classes. */
function withPrices(own: PriceEntry | null, set: ClassPrices): PriceEntry {
  const { prices, ratios = {}, ...others } = own ?? { prices: {} }
  const left = Object.entries(ratios).filter(([name]) => set[name as PriceClass] === undefined)
  return { ...others, prices: { ...prices, ...set }, ...(left.length > 0 && { ratios: Object.fromEntries(left) }) }
}

const viewFor = ({ ctx }: Pick<Call<'user'>, 'ctx'>, models?: readonly string[]) =>
  readPriceView(ctx.catalog.current, ctx.database.query, { now: ctx.clock.now(), models })

async function selectedModels(select: priceRoutes.PriceSelection, call: Call<'user'>): Promise<string[]> {
  const view = await viewFor(call)
  return selectPrices(view, select).found.map(({ model }) => model)
}

/**
 * Returns the own entry that makes classes cost a multiple of their price in `base`. With all classes only the base's own prices of tokens
 * and units are set, and the rest follows from them; null where it has none of them.
 */
function multiplyPrices(
  base: PriceEntry,
  own: PriceEntry | null,
  { factor, classes }: { readonly factor: number; readonly classes: Bulk['classes'] },
): PriceEntry | null {
  const basePrices = entryPrices(base)
  const requestedClasses = new Set<PriceClass>(classes ?? priceClasses.filter((name) => !isTool.has(name)))
  const prices: Partial<Record<PriceClass, number>> = { ...(classes && own?.prices) }
  let isChanged = false
  for (const name of priceClasses) {
    const price = basePrices[name]
    if (!price || !requestedClasses.has(name)) continue
    prices[name] = quotient(numberOf(price) * factor, 1)
    isChanged = true
  }
  if (!isChanged) return null
  const ratios = Object.fromEntries(
    Object.entries((classes && own?.ratios) ?? {}).filter(([name]) => prices[name as PriceClass] === undefined),
  )
  const { tiers, modes, schedules } = own ?? {}
  return {
    prices,
    ...(Object.keys(ratios).length > 0 && { ratios }),
    ...(tiers && { tiers }),
    ...(modes && { modes }),
    ...(schedules && { schedules }),
  }
}

const isTool: ReadonlySet<PriceClass> = new Set(['web_search', 'file_search', 'code_interpreter', 'image_generation'])

/** Returns what calls are charged by before and after own entries change. The snapshot may be the one before or after. */
export function changesOf(entries: OwnEntries, { ctx }: Pick<Call<'user'>, 'ctx'>, before = ctx.catalog.current) {
  const { options, prices } = before
  const changes = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, maxPreviewed)
  return {
    total: entries.size,
    changes: changes.map(([model, own]): priceRoutes.PriceChange => {
      const priced = { model, market: prices.marketOf(model) }
      const was = resolvePrice(prices.book, options, priced)
      const book = { own: (name: string) => (name === model ? own : prices.book.own(name)) }
      const is = resolvePrice(book, options, priced)
      return { model, before: was, after: is, own, before_mix: typicalPrice(was), after_mix: typicalPrice(is) }
    }),
  }
}
