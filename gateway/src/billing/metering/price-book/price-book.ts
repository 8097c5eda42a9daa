import { ChannelFactor, PriceEntry } from '@tollgate/contract'

import { parsedJson } from '../../../platform/text/parsed-json'

/** A row of the table of entries. */
export interface PriceRow {
  /** 0: the sale price of the model; otherwise its cost at this channel. */
  readonly channel_id: number
  /** Empty: a factor on the list price of everything that the channel serves. */
  readonly model: string
  /** JSON. */
  readonly entry: string
}

/** The operator's prices, in force for a snapshot of the catalog. A row is parsed when it is first needed. */
export interface PriceBook {
  /** Returns the operator's own sale entry of a model; null where there is none. */
  own(model: string): PriceEntry | null
  /** Models with an own sale entry. */
  readonly owned: ReadonlySet<string>
  /** Returns what a model costs at a channel, as the operator set it. */
  cost(channelId: number, model: string): PriceEntry | null
  /** Returns the part of its list prices that a channel's vendor charges; null where the operator set none. */
  factor(channelId: number): number | null
}

/** Parsed entries, by their rows' text. */
const readOf = new WeakMap<PriceBook, ReadonlyMap<string, Read>>()
type Read = { readonly text: string; readonly entry: PriceEntry | number | null }

/** Builds the book of these rows. What an earlier book parsed of the same rows is reused, as few change at once. */
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

/** Looked up for every new pair, so it is as short as possible. */
const nameOf = (channelId: number, model: string) => (channelId === 0 ? model : `${channelId}\n${model}`)

/** Returns the entry or the factor that a row holds; null for one that a later release wrote and this one cannot read. */
export function readRow(text: string): PriceEntry | number | null {
  const json = parsedJson(text)
  const factor = ChannelFactor.safeParse(json)
  if (factor.success) return factor.data.factor
  return PriceEntry.safeParse(json).data ?? null
}

export const emptyPriceBook: PriceBook = createPriceBook([])
