import type { Page } from 'playwright-core'

import type { Furniture } from './furnish'
import type { Past } from './past'

export interface Shot {
  /** Of the picture. */
  readonly name: string
  readonly path: string | ((world: Furniture & Past) => string)
  /** Nobody, by default. */
  readonly as?: 'root' | 'user'
  /** A gateway nobody has set up. */
  readonly isFirstVisit?: true
  /** Faults that belong to it. */
  readonly expected?: readonly RegExp[]
  /** One of many pages alike, which are walked through together: no test opens each by itself. */
  readonly isAlike?: true
  /** Much like another one: a test opens it in one look only. */
  readonly isVariant?: true
  /** Something opens beside the page or over it, after the page itself. */
  readonly isOpening?: true
  /** Done before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>
  /** What a person does before the picture. */
  readonly act?: (page: Page) => Promise<void>
}
