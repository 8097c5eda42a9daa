export interface Random {
  /** At least 0 and below 1. */
  number(): number
  bytes(length: number): Uint8Array
}
