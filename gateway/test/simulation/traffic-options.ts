import type { Accounts } from './accounts'
import type { Dice } from './dice'
import type { Witness } from './witness'

/** What the traffic of calls and of tasks acts on. */
export interface TrafficOptions {
  readonly dice: Dice
  readonly accounts: Accounts
  readonly witness: Witness
  readonly onError: (error: unknown) => void
  readonly note: (what: string) => void
  /** The number of the present event: what is served from memory is served within one. */
  readonly step: () => number
}
