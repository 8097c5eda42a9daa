import type { OpenResponse } from '../attempt/stream-opening'
import type { CallContext } from '../call-context'

/**
 * Returns which parts of the request could not be passed upstream, the service tier that the site does not sell, and which parts of the
 * response, as far as it has arrived, could not be passed to the client.
 */
export function droppedParts(
  { quote: { requestedServiceTier, serviceTier } }: CallContext,
  response: OpenResponse,
): readonly string[] {
  const { translated, leftOut = noParts } = response.prepared
  const lists = [translated?.warnings ?? noParts, leftOut, findLosses(response)].filter(({ length }) => length > 0)
  const warnings = lists.length > 1 ? [...new Set(lists.flat())] : (lists[0] ?? noParts)
  if (requestedServiceTier === null || serviceTier !== null) return warnings
  return [...warnings, `the service tier ${requestedServiceTier.slice(0, 64)}`]
}

function findLosses(response: OpenResponse): readonly string[] {
  if (response.kind === 'whole') return response.translated?.leftOut ?? noParts
  return (response.kind === 'stream' ? response.tap.leftOut : undefined) ?? noParts
}

const noParts: readonly string[] = []
const maxValueLength = 1024

/** Returns the value of a header that names them. The names are a client's or an upstream's and may have any characters. */
export const droppedValue = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll(/[^\x20-\x7e]|;/g, '?'))
    .join('; ')
    .slice(0, maxValueLength)
    .trimEnd()
