import { createHash } from 'node:crypto'

/**
 * An id for a call that came without one: the same for the same call, and another one in every answer, since clients send all
 * calls of a talk back together.
 */
export function deriveCallId(...of: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(of)).digest('base64url')
  return `call_${digest.replaceAll(/[-_]/g, '').slice(0, 24)}`
}

/** Ids that other vendors, or we, made up: they say nothing to this one, and some of its places refuse them. */
const foreign = /^(?:call_|toolu_|fc_|chatcmpl-|srvtoolu_)/

export const isOwnId = (id: string): boolean => id !== '' && !foreign.test(id)
