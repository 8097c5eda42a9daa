import type { Config } from '../../platform/config/config'
import type { SiteContext } from '../../context'
import { CatalogStore } from '../../channels/catalog/catalog-store'
import { Changes } from '../../platform/store/changes'
import type { Database, Queries, Transaction } from '../../platform/store/database'
import type { Seal } from '../../platform/store/seal'
import { createLog } from '../../platform/telemetry/log/create-log'
import { systemClock } from '../../platform/time/clock'

interface SiteDeps {
  readonly config: Config
  readonly database: Pick<Database, 'kind'>
  readonly seal: Seal
}

/**
 * Opens the site within a transaction: what changes its settings joins the transaction, and the catalog is what is written in it so far.
 * Other processes see all of it when the transaction is committed, or nothing.
 */
export async function openSite({ config, database, seal }: SiteDeps, transaction: Transaction): Promise<SiteContext> {
  const query = joinedQueries(transaction)
  const joined = { kind: database.kind, query, longRunning: query, removal: query, close: () => Promise.resolve() }
  const clock = systemClock
  const log = createLog({ logLevel: 'silent' }, 'command')
  // Nothing is read on a timer: changes are delivered to this catalog by who writes them.
  const timers = { after: () => () => {} }
  const changes = new Changes({ database: joined, clock, timers, onError: () => {} })
  await changes.start()
  const catalog = await CatalogStore.open({ database: joined, seal, changes, log })
  return { catalog, changes, clock, config, database: joined, fetch, log, seal }
}

/** Returns the queries of a transaction, in which a further transaction is a part of it. */
function joinedQueries(transaction: Transaction): Queries {
  const joined = { execute: <Result>(work: (part: Transaction) => Promise<Result>) => work(transaction) }
  return new Proxy(transaction, {
    get(target, name) {
      if (name === 'transaction') return () => joined
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
