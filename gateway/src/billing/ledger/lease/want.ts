/** How much a call wants to hold, and with how little it makes do. */
export interface Want {
  readonly most: number
  /** With less it is refused. */
  readonly least: number
  /** What a call gets of a balance that cannot pay `most`, where a share of it is less. Default: `least`. */
  readonly fair?: number
}
