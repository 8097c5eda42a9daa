import type { ZodError } from 'zod'

/** Why a part of a file is rejected. */
export interface ImportFault {
  /** From 1; for JSON, the position in its list. */
  readonly line: number
  readonly model: string
  readonly reason: string
}

/** Returns a schema's refusal as text: `tiers.0.above: Too small`. */
export const faultsText = ({ issues }: Pick<ZodError, 'issues'>): string =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
