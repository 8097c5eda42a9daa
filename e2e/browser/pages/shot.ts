import type { Page } from 'playwright-core'

import type { Furniture } from './furnish'
import type { Past } from './past'

export interface Shot {
  /** Name of the picture. */
  readonly name: string
  readonly path: string | ((world: Furniture & Past) => string)
  /** A guest by default. */
  readonly as?: 'root' | 'user'
  /** Taken on a gateway before its setup. */
  readonly isFirstVisit?: true
  /** Faults that are expected. */
  readonly expected?: readonly RegExp[]
  /** One of many similar pages, which a single test visits together. */
  readonly isAlike?: true
  /** A variant of another shot: a test opens it in one look only. */
  readonly isVariant?: true
  /** Something opens beside the page or over it, after the page itself. */
  readonly isOpening?: true
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Runs on the page before the picture. */
  readonly act?: (page: Page) => Promise<void>
}
