import type { Mode } from '@tollgate/dialects'

import type { Catalog } from '../../catalog/catalog'
import type { Caller } from '../call'

/** A model that a caller asks for. */
export interface WantedModel {
  readonly caller: Pick<Caller, 'group' | 'pinnedChannelId'>
  readonly catalog: Catalog
  /** As the caller names it. */
  readonly model: string
  readonly mode: Mode
}

export interface RouteRequest extends WantedModel {
  readonly promptTokens: number
  /** The client left. */
  readonly signal: AbortSignal
  /** When the time for the whole call is over, of the clock. */
  readonly deadline: number
  /** Channels that have no price for this call. */
  readonly unpriced?: ReadonlySet<number>
}
