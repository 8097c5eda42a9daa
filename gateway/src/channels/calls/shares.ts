import { DialectError, dialects, WholeImages, type DialectId } from '@tollgate/dialects'
import type { ModeDescription, Unframer } from '@tollgate/providers'

import { bodyOf, formOf, type ParsedBody } from './parsed-body'
import type { Prepared } from './prepare'
import type { RequestedCall } from './requested-call'

/** More calls for one request than this would hold the client's connection, and a slot of the channel, for minutes. */
const maxShares = 10

/** Returns whether the request is for more images than the vendor draws in one call. */
export const needsShares = ({ description: { maxImages } }: Prepared, choices: number): boolean =>
  maxImages !== undefined && choices > maxImages

/**
 * Returns the call as several that draw its images together. Each is prepared when it is its turn, as its body may be large.
 * @throws DialectError when there would be too many of them.
 */
export function withShares(
  prepared: Prepared,
  asked: RequestedCall,
  choices: number,
  prepareShare: (share: RequestedCall) => Prepared,
): Prepared {
  const { withShare } = dialects[asked.dialect]
  const { maxImages = choices } = prepared.description
  if (!withShare) return prepared
  const max = maxImages * maxShares
  if (choices > max) {
    const message = `Invalid 'n': this model draws at most ${max} images for one request, but got ${choices} instead.`
    throw new DialectError('n', 'integer_above_max_value', message)
  }
  const counts = Array.from({ length: Math.ceil(choices / maxImages) }, (_, at) =>
    Math.min(maxImages, choices - at * maxImages),
  )
  const shares = counts.map((count, at) => () => {
    const json = withShare(asked.body.json, { count, before: at * maxImages })
    return prepareShare({ ...asked, isStream: false, body: sharedBody(asked.body, json) })
  })
  return { ...prepared, description: joined(prepared.description), shares }
}

/** A form is written anew for each call, and its files stay where they are. */
const sharedBody = ({ text }: ParsedBody, json: ParsedBody['json']): ParsedBody =>
  text === '' ? formOf(json) : bodyOf(json)

/** What is joined is JSON, in one piece, whatever the vendor sends otherwise. */
function joined(whole: ModeDescription): ModeDescription {
  const { collect: _, ...description } = whole
  return { ...description, createUnframer: unframers[description.dialect] ?? (() => unchanged) }
}

const unframers: Partial<Record<DialectId, () => Unframer>> = { 'openai-images': () => new WholeImages() }

const unchanged: Unframer = { push: (bytes) => bytes, end: () => new Uint8Array(0) }
