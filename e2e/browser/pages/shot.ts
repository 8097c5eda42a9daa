import type { Page } from 'playwright-core'

export interface Shot {
  /** Name of the picture. */
  readonly name: string
  /** Names of ids of the used site, in braces, stand for the ids: `/app/tokens?edit={tokenId}`. */
  readonly path: string
  /** A guest by default. */
  readonly as?: 'root' | 'user'
  /** Taken on a gateway before its setup. */
  readonly isFirstVisit?: true
  /** Faults that are expected. */
  readonly expected?: readonly RegExp[]
  /** One of many similar pages, which a single test visits together. */
  readonly isAlike?: true
  /** Something opens beside the page or over it, after the page itself. */
  readonly isOpening?: true
  /** What it prepares takes effect when the page is loaded: it cannot be opened from another one. */
  readonly isLoaded?: true
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Runs on the page before the picture. */
  readonly act?: (page: Page) => Promise<void>
}
