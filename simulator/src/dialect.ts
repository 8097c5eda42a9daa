import type { SimulatedResponse } from './simulated-response'
import type { Behaviour } from './behaviour'
import type { Account } from './openai/account'
import type { RecordedRequest } from './record'
import type { Wire } from './wire'

/** What a dialect may look at: the request, not what became of it. */
export type Call = Pick<
  RecordedRequest,
  'number' | 'method' | 'path' | 'query' | 'headers' | 'body' | 'json' | 'apiKey' | 'model' | 'isStream'
>

/** One wire that the simulator speaks, under any base path. */
export interface Dialect {
  /** Whether a call is in this dialect. */
  serves(call: Call): boolean
  /** Null: it has no such call. A RangeError says what is wrong with the request. */
  respond(call: Call, behaviour: Behaviour, account: Account): SimulatedResponse | null
  readonly wire: Wire
  /** A call made on the way to others: a queued behaviour waits for theirs. */
  isAside?(call: Call): boolean
}
