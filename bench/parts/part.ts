import type { Measurement } from '../measure'
import { startNginx } from '../nginx'
import { startPortkey } from '../portkey'
import type { Cores } from '../processes'
import type { Verdict } from '../lab'
import { direct, type Starter } from '../targets'
import { startTollgate } from '../tollgate'

export interface Settings {
  readonly cores: Cores
  /** Length of each measurement. */
  readonly milliseconds: number
  readonly rounds: number
  /** The folder that Portkey is installed in. */
  readonly portkey: string | null
  /** Streams that clients leave. */
  readonly aborts: number
  /** At 400 streams. */
  readonly minutes: number
  /** Whether a scenario was asked for. */
  isSelected(scenario: string): boolean
}

/** Single numbers by name, for the bars. */
export type Figures = Readonly<Record<string, number>>

export interface Findings {
  /** In Markdown, below a heading of the third level. */
  readonly text: string
  readonly figures: Figures
  readonly verdict: Verdict
  /** Every round, for the machine. */
  readonly measurements?: readonly Measurement[]
}

/** Several measurements that share what they start. */
export interface Part {
  readonly name: string
  readonly title: string
  /** What its columns and rows mean. */
  readonly about: string
  /** Names that may be asked for besides its own. */
  readonly scenarios?: readonly string[]
  /** It takes long, and runs when it was asked for. */
  readonly isLong?: boolean
  run(settings: Settings): Promise<Findings>
}

/** The upstream itself, and all that stand before it, Tollgate last. */
export function everyTarget({ portkey }: Settings): Starter[] {
  const rivals: Starter[] = portkey === null ? [startNginx] : [startNginx, (ground) => startPortkey(portkey, ground)]
  return [direct, ...rivals, (ground) => startTollgate(ground)]
}

export const figureName = (scenario: string, target: string, what: string): string => `${scenario}/${target}/${what}`
