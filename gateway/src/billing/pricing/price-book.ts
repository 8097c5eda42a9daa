import { ChannelFactor, PriceEntry } from '@tollgate/contract'

import { parsedJson } from '../../platform/text/parsed-json'

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
export class PriceBook {
  /** Models with an own sale entry. */
  readonly ownModels: ReadonlySet<string>
  readonly #texts = new Map<string, string>()
  readonly #parsed = new Map<string, ParsedRow>()

  /** What an earlier book parsed of the same rows is reused, as few change at once. */
  constructor(rows: readonly PriceRow[], earlier?: PriceBook) {
    const ownModels = new Set<string>()
    for (const { channel_id, model, entry } of rows) {
      this.#texts.set(keyOf(channel_id, model), entry)
      if (channel_id === 0) ownModels.add(model)
    }
    this.ownModels = ownModels
    if (earlier)
      for (const [key, row] of earlier.#parsed) if (this.#texts.get(key) === row.text) this.#parsed.set(key, row)
  }

  /** Returns the operator's own sale entry of a model; null where there is none. */
  own(model: string): PriceEntry | null {
    return this.cost(0, model)
  }

  /** Returns what a model costs at a channel, as the operator set it. */
  cost(channelId: number, model: string): PriceEntry | null {
    const entry = model === '' ? null : this.#entryAt(keyOf(channelId, model))
    return typeof entry === 'number' ? null : entry
  }

  /** Returns the part of its list prices that a channel's vendor charges; null where the operator set none. */
  factor(channelId: number): number | null {
    const entry = channelId === 0 ? null : this.#entryAt(keyOf(channelId, ''))
    return typeof entry === 'number' ? entry : null
  }

  #entryAt(key: string): PriceEntry | number | null {
    const text = this.#texts.get(key)
    if (text === undefined) return null
    const known = this.#parsed.get(key)
    if (known !== undefined) return known.entry
    const entry = readRow(text)
    this.#parsed.set(key, { text, entry })
    return entry
  }
}

interface ParsedRow {
  readonly text: string
  readonly entry: PriceEntry | number | null
}

/** Looked up for every new pair, so it is as short as possible. */
const keyOf = (channelId: number, model: string) => (channelId === 0 ? model : `${channelId}\n${model}`)

/** Returns the entry or the factor that a row holds; null for one that a later release wrote and this one cannot read. */
export function readRow(text: string): PriceEntry | number | null {
  const json = parsedJson(text)
  const factor = ChannelFactor.safeParse(json)
  if (factor.success) return factor.data.factor
  return PriceEntry.safeParse(json).data ?? null
}

export const emptyPriceBook = new PriceBook([])
