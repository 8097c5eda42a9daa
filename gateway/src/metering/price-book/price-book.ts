import { ChannelFactor, PriceEntry } from '@tollgate/contract'

import { parsedJson } from '../../parsed-json'

/** A row of the table of entries. */
export interface PriceRow {
  /** 0: what the model is sold at; else what it costs at this channel. */
  readonly channel_id: number
  /** Empty: a factor on the list price of everything that the channel serves. */
  readonly model: string
  /** JSON. */
  readonly entry: string
}

/** What the operator says of prices, in force for a snapshot of the catalog. A row is read when it is first asked for. */
export interface PriceBook {
  /** The operator's own sale entry of a model; null where he tells none. */
  own(model: string): PriceEntry | null
  /** Models with an own sale entry. */
  readonly owned: ReadonlySet<string>
  /** What a model costs at a channel, as the operator tells it. */
  cost(channelId: number, model: string): PriceEntry | null
  /** What the channel's vendor asks of its list prices; null where the operator tells none. */
  factor(channelId: number): number | null
}

/** Entries that were read, by their rows' text. */
const readOf = new WeakMap<PriceBook, ReadonlyMap<string, Read>>()
type Read = { readonly text: string; readonly entry: PriceEntry | number | null }

/** Builds the book of these rows. What an earlier book read of the same rows is taken over, as few change at once. */
export function createPriceBook(rows: readonly PriceRow[], earlier?: PriceBook): PriceBook {
  const texts = new Map<string, string>()
  const owned = new Set<string>()
  for (const { channel_id, model, entry } of rows) {
    texts.set(nameOf(channel_id, model), entry)
    if (channel_id === 0) owned.add(model)
  }
  const read = new Map<string, Read>()
  for (const [name, one] of (earlier && readOf.get(earlier)) ?? [])
    if (texts.get(name) === one.text) read.set(name, one)
  const entryAt = (name: string): PriceEntry | number | null => {
    const text = texts.get(name)
    if (text === undefined) return null
    const known = read.get(name)
    if (known !== undefined) return known.entry
    const entry = readRow(text)
    read.set(name, { text, entry })
    return entry
  }
  const entryOf = (channelId: number, model: string) => {
    const entry = model === '' ? null : entryAt(nameOf(channelId, model))
    return typeof entry === 'number' ? null : entry
  }
  const book: PriceBook = {
    owned,
    own: (model) => entryOf(0, model),
    cost: entryOf,
    factor(channelId) {
      const entry = channelId === 0 ? null : entryAt(nameOf(channelId, ''))
      return typeof entry === 'number' ? entry : null
    },
  }
  readOf.set(book, read)
  return book
}

/** A name is asked for with every new pair, so it is as short as it can be. */
const nameOf = (channelId: number, model: string) => (channelId === 0 ? model : `${channelId}\n${model}`)

/** The entry or the factor that a row holds; null for one that a later release wrote and this one cannot read. */
export function readRow(text: string): PriceEntry | number | null {
  const json = parsedJson(text)
  const factor = ChannelFactor.safeParse(json)
  if (factor.success) return factor.data.factor
  return PriceEntry.safeParse(json).data ?? null
}

export const emptyPriceBook: PriceBook = createPriceBook([])
