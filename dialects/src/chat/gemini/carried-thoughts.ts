import { isObject } from '../../core/json'
import type { ThinkingPart } from '../../core/neutral/call'
import { objectsOf, nestedObject, textOf } from '../../core/neutral/read'

/** A thought that another vendor signed. Redacted ones have no text. */
export type SignedThought = Pick<ThinkingPart, 'text' | 'isRedacted'> & { readonly signature: string }

/** What the vendor takes for the signature of a call that it did not make. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const noSignature = 'skip_thought_signature_validator'

const opening = '{"thoughts":'
const encodedOpening = Buffer.from(opening, 'utf8').toString('base64').slice(0, 12)

/**
 * Google's clients leave thoughts out of the conversation that they send back, and keep what signs a call. So the thoughts before a call
 * ride in its signature, for vendors that want them back. Signatures are base64.
 */
export const carryThoughts = (thoughts: readonly SignedThought[]): string =>
  Buffer.from(JSON.stringify({ thoughts }), 'utf8').toString('base64')

/** The thoughts that ride in the signature of a call; null for a signature of Google's own. */
export function carriedThoughts(signature: string): ThinkingPart[] | null {
  if (!signature.startsWith(encodedOpening)) return null
  const carried = nestedObject(Buffer.from(signature, 'base64').toString('utf8'))
  if (!isObject(carried) || !Array.isArray(carried['thoughts'])) return null
  return objectsOf(carried['thoughts']).map((thought) => ({
    kind: 'thinking',
    text: textOf(thought['text']),
    signature: textOf(thought['signature']),
    ...(thought['isRedacted'] === true && { isRedacted: true }),
  }))
}
