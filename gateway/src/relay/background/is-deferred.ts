import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { ModelCall } from '../call'

/** Returns whether the client wants an id at once and the answer later. */
export function isDeferred({ endpoint: { deferredBy } }: Pick<ModelCall, 'endpoint'>, { json }: ParsedBody): boolean {
  if (deferredBy === null) return false
  const value = json[deferredBy]
  // In a form everything is a text.
  return value === true || (value === 'true' && deferredBy === 'async')
}
