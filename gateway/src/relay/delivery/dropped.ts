import type { OpenResponse } from '../attempt/stream-opening'
import type { CallContext } from '../call-context'

/** Returns which parts of the request could not be passed upstream, and the service tier that the site does not sell. */
export function droppedParts(
  { quote: { requestedServiceTier, serviceTier } }: CallContext,
  { prepared: { translated, leftOut } }: OpenResponse,
): readonly string[] {
  const unsaid = translated?.warnings ?? noParts
  const warnings = leftOut ? [...new Set([...unsaid, ...leftOut])] : unsaid
  if (requestedServiceTier === null || serviceTier !== null) return warnings
  return [...warnings, `the service tier ${requestedServiceTier.slice(0, 64)}`]
}

const noParts: readonly string[] = []
const maxValueLength = 1024

/** Returns the value of a header that names them. The names are a client's and may have any characters. */
export const droppedValue = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll(/[^\x20-\x7e]|;/g, '?'))
    .join('; ')
    .slice(0, maxValueLength)
    .trimEnd()
