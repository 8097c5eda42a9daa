import type { ZodError } from 'zod'

/** Why a part of a file cannot be taken. */
export interface ImportFault {
  /** From 1; of JSON, the place in its list. */
  readonly line: number
  readonly model: string
  readonly reason: string
}

/** Returns what a schema refuses in words: `tiers.0.above: Too small`. */
export const faultsText = ({ issues }: Pick<ZodError, 'issues'>): string =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
