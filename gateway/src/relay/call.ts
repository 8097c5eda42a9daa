import type { DialectId, PathContext } from '@tollgate/dialects'

import type { Account, ApiKey } from '../accounts/callers/account'
import type { CallerPlan, Cap } from './admission/caller-limits'
import type { BodyReader } from './admission/read-body'
import type { Catalog, OwnLogin } from '../channels/catalog/catalog'
import type { Language } from '../http/language'
import type { Payer } from '../billing/ledger/ledger'
import type { CallTrace } from '../platform/telemetry/tracing/tracing'
import type { Endpoint } from './stages/endpoint'

/** A request to a public endpoint, before it is authenticated. */
export interface IncomingCall {
  readonly request: Request
  readonly requestId: string
  readonly method: string
  /** Without query and trailing slash. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** The dialect of the caller, for the request and the response. */
  readonly dialect: DialectId
  /** Clients of the address read the status as the code of an error. */
  readonly hasNumericErrorCodes: boolean
  readonly clientIp: string
  readonly language: Language
  /** The catalog snapshot used for the whole call. */
  readonly catalog: Catalog
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** Null when the call is not traced. */
  readonly trace: CallTrace | null
  readonly findings: CallFindings
  /** Null where the address is not of a model. */
  readonly endpoint: Endpoint | null
  /** What the address tells about the call; null as the endpoint is. */
  readonly pathContext: PathContext | null
  /** Where its body is read from; absent: from its request, as it is. */
  readonly source?: BodySource | undefined
  /** The task of a call that runs in the background, which its log rows name. */
  readonly taskId?: string
}

/** A call whose body is not that of its request: a message of a WebSocket, or a request to compact a conversation. */
export interface BodySource {
  readonly kind: 'turn' | 'compaction'
  readonly readBody: BodyReader
}

/** What has become known of a call so far: should it be refused, its row says so. */
interface CallFindings {
  /** Null until a key or a session told who calls. */
  caller: Caller | null
  /** As the caller named it; empty until then. */
  model: string
  /** What is left of the narrowest of the caller's rate limits and windows of requests; null: there is none. */
  requests: RateStanding | null
  /** The same of windows of tokens. */
  tokens: RateStanding | null
}

/** What a caller has left of a rate limit or a window. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** When the limit is whole again; null: never. */
  readonly reset: RateReset | null
}

export interface RateReset {
  /** Whole seconds from now on. */
  readonly seconds: number
  /** The same moment, in Unix milliseconds. */
  readonly at: number
}

/** A call to an endpoint that calls a model. */
export interface ModelCall extends IncomingCall {
  readonly endpoint: Endpoint
  readonly pathContext: PathContext
}

export const isModelCall = (call: IncomingCall): call is ModelCall => call.endpoint !== null

/** The identity behind a call, and the account that pays. */
export interface Caller {
  readonly account: Account
  /** Null in the playground. */
  readonly key: ApiKey | null
  /** The group in use: the key's, otherwise the user's own. */
  readonly group: string
  readonly payer: Payer
  /** What each call alone may use. */
  readonly caps: readonly Cap[]
  /** What may pay instead of the wallet. */
  readonly plans: readonly CallerPlan[]
  /** Recorded in the log. */
  readonly tokenName: string
  /** The channel that an administrator named in the key, or null. */
  readonly pinnedChannelId: number | null
  /** The client's account at a vendor, which serves its calls; null: channels serve them with their keys. */
  readonly ownLogin: OwnLogin | null
}

/**
 * Returns whose tasks and objects at vendors a caller sees. A key that is limited to some models is given to others, so it sees what it made;
 * any other sees what its user made.
 */
export const ownerOf = ({ account, key }: Pick<Caller, 'account' | 'key'>) => ({
  userId: account.id,
  tokenId: key !== null && key.models !== null ? key.id : null,
})
