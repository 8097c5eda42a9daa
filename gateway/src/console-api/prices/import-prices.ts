import { ChannelFactor, NewPriceEntry, priceRoutes, type PriceEntry, type RouteInput } from '@tollgate/contract'
import * as z from 'zod'

import type { PriceWrite } from '../../billing/pricing/price-store'
import type { Call } from '../../http/handler'
import { parsedJson } from '../../platform/text/parsed-json'
import { faultsText, readPriceCsv, type ImportFault } from './price-csv'
import { changesOf, writePrices } from './write-prices'

type Body = RouteInput<typeof priceRoutes.importPrices>['body']

interface Imported {
  readonly entries: Map<string, PriceEntry>
  readonly costs: PriceWrite[]
  readonly faults: ImportFault[]
}

const maxFaults = 200
/** Longer lists of changes are not in the audit log. */
const maxNoted = 100

/** Stores the contents of a file, all or none; or returns what that would change. A file with faults is never stored. */
export async function importPrices({ format, text, preview }: Body, call: Call<'user'>) {
  const {
    channels,
    prices: { book },
  } = call.ctx.catalog.current
  const {
    entries: read,
    costs: readCosts,
    faults,
  } = format === 'csv' ? { ...readPriceCsv(text), costs: [] } : readJson(text)
  const entries = new Map([...read].filter(([model, entry]) => !isSame(book.own(model), entry)))
  const costs = readCosts.filter(({ channelId, model, entry }) => {
    const is = model === '' ? { factor: book.factor(channelId) } : book.cost(channelId, model)
    return !isSame(is, entry)
  })
  for (const { channelId, model } of readCosts)
    if (!channels.has(channelId)) faults.push({ line: 0, model, reason: `no channel has the id ${channelId}` })
  const changes = changesOf(entries, call)
  const result = {
    total: entries.size + costs.length,
    changes: changes.changes,
    errors: faults.slice(0, maxFaults),
  }
  if (preview || faults.length > 0 || result.total === 0) return result
  call.audit.target('price', String(result.total), '')
  const sale = [...entries].map(([model, entry]) => ({ channelId: 0, model, entry }))
  if (entries.size <= maxNoted)
    call.audit.recordChange(
      Object.fromEntries([...entries].map(([model]) => [model, book.own(model)])),
      Object.fromEntries(entries),
    )
  await writePrices({ writes: [...sale, ...costs] }, call)
  return result
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const Price = z.object({ model: priceRoutes.PricedModel, entry: NewPriceEntry })
const Cost = z.union([
  z.object({ channel_id: z.int().positive(), model: z.literal(''), factor: ChannelFactor.shape.factor }),
  z.object({ channel_id: z.int().positive(), model: Price.shape.model, entry: NewPriceEntry }),
])
const Document = z.object({ prices: z.array(z.unknown()).optional(), costs: z.array(z.unknown()).optional() })

function readJson(text: string): Imported {
  const document = Document.safeParse(parsedJson(text))
  const imported: Imported = { entries: new Map(), costs: [], faults: [] }
  if (!document.success) return { ...imported, faults: [{ line: 1, model: '', reason: faultsText(document.error) }] }
  const { prices = [], costs = [] } = document.data
  for (const { model, entry } of read(Price, prices, imported.faults)) imported.entries.set(model, entry)
  for (const cost of read(Cost, costs, imported.faults))
    imported.costs.push(
      'factor' in cost
        ? { channelId: cost.channel_id, model: '', entry: { factor: cost.factor } }
        : { channelId: cost.channel_id, model: cost.model, entry: cost.entry },
    )
  return imported
}

function read<Schema extends z.ZodType>(schema: Schema, members: readonly unknown[], faults: ImportFault[]) {
  return members.flatMap((member, index): z.output<Schema>[] => {
    const found = schema.safeParse(member)
    if (found.success) return [found.data]
    faults.push({ line: index + 1, model: named.safeParse(member).data?.model ?? '', reason: faultsText(found.error) })
    return []
  })
}

const named = z.object({ model: z.string() })
