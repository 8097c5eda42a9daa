import type { Random } from './random'
import type { Traffic } from './traffic'

/** A temporary fault. It repairs what it broke as far as that needs nothing else; `heal` does the rest. */
export interface Fault {
  readonly name: string
  strike(random: Random, traffic: Traffic): Promise<void>
}
