import { DialectError, dialects, WholeImages, type DialectId } from '@tollgate/dialects'
import type { ModeDescription, Unframer } from '@tollgate/providers'

import { bodyOf, formOf, type ParsedBody } from './parsed-body'
import type { Prepared } from './prepare'
import type { RequestedCall } from './requested-call'

/** More calls for one request than this would hold the client's connection, and a slot of the channel, for minutes. */
const maxDrawingCalls = 10

/** What a request is divided by: more of it than the vendor does in one call. */
export interface Division {
  readonly total: number
  readonly max: number
  readonly of: 'images' | 'inputs'
}

/** Returns how a request is divided into calls; null where one call does it all. `choices` are images of one that draws. */
export function divisionOf(
  { description: { maxImages, maxInputs } }: Prepared,
  { dialect, body }: Pick<RequestedCall, 'dialect' | 'body'>,
  choices: number,
): Division | null {
  if (maxImages !== undefined && choices > maxImages) return { total: choices, max: maxImages, of: 'images' }
  if (maxInputs === undefined) return null
  const total = dialects[dialect].countInputs?.(body.json) ?? 1
  return total > maxInputs ? { total, max: maxInputs, of: 'inputs' } : null
}

/**
 * Returns the call as several that do it together. Each is prepared when it is its turn, as its body may be large.
 * @throws DialectError when there would be too many of them.
 */
export function withShares(
  prepared: Prepared,
  requested: RequestedCall,
  { total, max, of }: Division,
  prepareShare: (share: RequestedCall) => Prepared,
): Prepared {
  const { withShare } = dialects[requested.dialect]
  if (!withShare) return prepared
  const maxTotal = max * maxDrawingCalls
  if (of === 'images' && total > maxTotal) {
    const message = `Invalid 'n': this model draws at most ${maxTotal} images for one request, but got ${total} instead.`
    throw new DialectError('n', 'integer_above_max_value', message)
  }
  const counts = Array.from({ length: Math.ceil(total / max) }, (_, at) => Math.min(max, total - at * max))
  const shares = counts.map((count, at) => () => {
    const json = withShare(requested.body.json, { count, before: at * max })
    return prepareShare({ ...requested, isStream: false, body: sharedBody(requested.body, json) })
  })
  return { ...prepared, description: describeJoined(prepared.description), shares }
}

/** A form is written anew for each call, and its files stay where they are. */
const sharedBody = ({ text }: ParsedBody, json: ParsedBody['json']): ParsedBody =>
  text === '' ? formOf(json) : bodyOf(json)

/** What is joined is JSON, in one piece, whatever the vendor sends otherwise. */
function describeJoined(whole: ModeDescription): ModeDescription {
  const { collect: _, ...description } = whole
  return { ...description, createUnframer: unframers[description.dialect] ?? (() => unchanged) }
}

const unframers: Partial<Record<DialectId, () => Unframer>> = { 'openai-images': () => new WholeImages() }

const unchanged: Unframer = { push: (bytes) => bytes, end: () => new Uint8Array(0) }
