import { priceIn, type PriceEntry } from '@tollgate/models'

/** What public lists have for models, under any of their names. */
export interface ListedPrices {
  readonly count: number
  priceOf(model: string): PriceEntry | null
}

/** Both lists as they are read; undefined: not used. */
export interface ListDocuments {
  readonly liteLlm: unknown
  readonly modelsDev: unknown
}

/**
 * Merges the lists in the same way as the shipped catalog. Both were just read, so neither is the older one. The readers are loaded with
 * the first lists.
 * @throws TypeError when a list has another shape.
 */
export async function listedPrices({ liteLlm, modelsDev }: ListDocuments, today: string): Promise<ListedPrices> {
  const { priceLines, readLiteLlmPrices, readModelsDevPrices } = await import('@tollgate/models/lists')
  const listings = [
    ...(liteLlm === undefined ? [] : readLiteLlmPrices(liteLlm)),
    ...(modelsDev === undefined ? [] : readModelsDevPrices(modelsDev)),
  ]
  const lines = priceLines(listings, { liteLlm: today, modelsDev: today })
  const byName = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  return { count: byName.size, priceOf: (model) => priceIn(byName, model) }
}
