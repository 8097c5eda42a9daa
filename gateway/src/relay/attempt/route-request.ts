import type { Service } from '@tollgate/providers'

import type { Catalog } from '../../catalog/catalog'
import type { Caller } from '../call'

/** A model that a caller requests. */
export interface WantedModel {
  readonly caller: Pick<Caller, 'group' | 'pinnedChannelId'>
  readonly catalog: Catalog
  /** As the caller names it. */
  readonly model: string
  readonly mode: Service
}

export interface RouteRequest extends WantedModel {
  readonly promptTokens: number
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Monotonic time at which the total timeout of the call ends. */
  readonly deadline: number
  /** Channels that have no price for this call. */
  readonly unpriced?: ReadonlySet<number>
}
