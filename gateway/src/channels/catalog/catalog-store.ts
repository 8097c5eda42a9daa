import { isOptionKey, isSecretOption, parseOptions } from '@tollgate/contract'
import type { Logger } from 'pino'

import type { Changes } from '../../platform/store/changes'
import type { Database } from '../../platform/store/database'
import type { Seal } from '../../platform/store/seal'
import { PriceBook } from '../../billing/pricing/price-book'
import { isRatioOption } from '../../billing/pricing/ratio-view'
import { buildCatalog, type BuiltCatalog } from './build-catalog'
import type { Catalog } from './catalog'
import { channelColumns } from './read-channel'

export interface CatalogStoreOptions {
  database: Database
  seal: Seal
  changes: Changes
  log: Pick<Logger, 'warn'>
}

/** Builds the first snapshot, and a new one after every `catalog` or `prices` change. */
export class CatalogStore {
  #built: BuiltCatalog | undefined
  #running: Promise<unknown> = Promise.resolve()

  private constructor(private readonly options: CatalogStoreOptions) {}

  static async open(options: CatalogStoreOptions): Promise<CatalogStore> {
    const store = new CatalogStore(options)
    options.changes.listen(async (news) => {
      if (news.some((change) => change.topic === 'prices')) await store.#buildNext(true)
      if (news.some((change) => change.topic === 'catalog')) await store.#buildNext()
    })
    await store.#buildNext()
    return store
  }

  /** The snapshot in force. A call reads it once and keeps it. */
  get current(): Catalog {
    if (!this.#built) throw new Error('The first snapshot is not built yet')
    return this.#built.catalog
  }

  /** Rebuilds the snapshot from the database and swaps it. */
  async rebuild(): Promise<void> {
    await this.#buildNext(true)
    await this.#buildNext()
  }

  // One at a time and in order: a slow build never replaces what a later one read.
  #buildNext(isOfPrices = false): Promise<BuiltCatalog> {
    const next = this.#running.catch(() => {}).then(() => this.#build(isOfPrices))
    this.#running = next
    return next
  }

  async #build(isOfPrices: boolean): Promise<BuiltCatalog> {
    const { database, seal, log } = this.options
    const built = this.#built
    if (built && isOfPrices) return (this.#built = withBook(built, await readBook(database, built.catalog.prices.book)))
    const book = built?.catalog.prices.book ?? (await readBook(database))
    const rows = await database.query.selectFrom('channels').select(channelColumns).orderBy('id').execute()
    const options = await readOptions(database, seal, log)
    const windows = await database.query
      .selectFrom('windows')
      .selectAll()
      .where('owner', 'in', ['group', 'channel', 'channel_key'])
      .orderBy('id')
      .execute()
    const report = (channelId: number, problem: string) =>
      log.warn({ channelId, problem }, 'a part of a channel cannot be used')
    const open: Seal['open'] = (sealed, context) => seal.open(sealed, context)
    const revision = (built?.catalog.revision ?? 0) + 1
    return (this.#built = buildCatalog({ revision, rows, options, book, windows, open, report }, built))
  }
}

/** Returns the next snapshot, in which only prices are new. */
function withBook(built: BuiltCatalog, book: PriceBook): BuiltCatalog {
  const { catalog } = built
  return { ...built, catalog: { ...catalog, revision: catalog.revision + 1, prices: catalog.prices.withBook(book) } }
}

const readBook = async ({ query }: Database, earlier?: PriceBook): Promise<PriceBook> =>
  new PriceBook(await query.selectFrom('price_entries').select(['channel_id', 'model', 'entry']).execute(), earlier)

/** Resolves with the options of the site; what cannot be used is reported, and is as by default. */
export async function readOptions(database: Database, seal: Seal, log: Pick<Logger, 'warn'>) {
  const rows = await database.query.selectFrom('options').select(['key', 'value']).execute()
  const report = (key: string, reason: string) => log.warn({ option: key, reason }, 'a stored option cannot be used')
  const stored = new Map<string, string>()
  for (const { key, value } of rows) {
    if (!isOptionKey(key) || isRatioOption(key)) continue
    try {
      stored.set(key, isSecretOption(key) && value !== '' ? seal.open(value, `options.value#${key}`) : value)
    } catch {
      report(key, 'it was sealed with another key')
    }
  }
  return parseOptions(stored, report)
}
