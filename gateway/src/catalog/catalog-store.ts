import type { Catalog } from './catalog'

export interface CatalogStore {
  /** The snapshot in force. A call reads it once and keeps it. */
  readonly current: Catalog
  /** Build the snapshot anew from the database and swap it. */
  rebuild(): Promise<void>
}
