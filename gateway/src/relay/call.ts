import type { CallPlace, DialectId } from '@tollgate/dialects'

import type { Account, ApiKey } from '../accounts/callers/account'
import type { Catalog } from '../catalog/catalog'
import type { Language } from '../http/language'
import type { Payer } from '../ledger/ledger'
import type { CallTrace } from '../tracing/tracing'
import type { Endpoint } from './stages/endpoint'

/** A request to a public endpoint, before anything was asked of it. */
export interface IncomingCall {
  readonly request: Request
  readonly requestId: string
  readonly method: string
  /** Without query and trailing slash. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** What the caller speaks, and is answered in. */
  readonly dialect: DialectId
  readonly clientIp: string
  readonly language: Language
  /** The snapshot of this call. */
  readonly catalog: Catalog
  /** Of the clock that never jumps. */
  readonly startedAt: number
  /** Null when it is not traced. */
  readonly trace: CallTrace | null
}

/** A call to an endpoint that calls a model. */
export interface ModelCall extends IncomingCall {
  readonly endpoint: Endpoint
  /** What the address says of the call. */
  readonly place: CallPlace
}

/** Who calls, and who pays. */
export interface Caller {
  readonly account: Account
  /** Null in the playground. */
  readonly key: ApiKey | null
  /** The group in use: the key's, else the user's own. */
  readonly group: string
  readonly payer: Payer
  /** For the log. */
  readonly tokenName: string
  /** The channel an administrator asked for in the key, or null. */
  readonly pinnedChannelId: number | null
}
