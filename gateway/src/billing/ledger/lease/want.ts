/** How much a call wants to hold, and with how little it makes do. */
export interface HoldRange {
  readonly max: number
  /** With less it is refused. */
  readonly min: number
  /** What a call gets of a balance that cannot pay `max`, where a share of it is less. Default: `min`. */
  readonly fair?: number
}
