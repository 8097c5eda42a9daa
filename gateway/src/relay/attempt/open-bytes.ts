import type { ModeDescription } from '@tollgate/providers'

import { parseInTurns, createMalformedError, readResponseObject } from '../../channels/calls/parse-response-object'
import type { AttemptClocks } from '../../channels/calls/clocks'
import { readResponseBody, toUpstreamError } from '../../channels/calls/upstream-call'
import type { ByteReader } from '@tollgate/http-client'
import type { UpstreamResponse } from '@tollgate/http-client'
import { BytesTap } from './bytes-tap'
import type { BytesOpening } from './stream-opening'

/** Types sent to clients, by the types that upstreams send for audio. */
const audioTypes: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/opus', 'audio/opus'],
  ['audio/ogg', 'audio/ogg'],
  ['application/ogg', 'audio/ogg'],
  ['audio/aac', 'audio/aac'],
  ['audio/flac', 'audio/flac'],
  ['audio/x-flac', 'audio/flac'],
  ['audio/wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/pcm', 'audio/pcm'],
  ['audio/l16', 'audio/pcm'],
  ['audio/basic', 'audio/basic'],
  ['audio/webm', 'audio/webm'],
])

/** Unspecific types: the response has the requested one. */
const anyTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
const textTypes: ReadonlySet<string> = new Set([
  ...anyTypes,
  'text/plain',
  'text/vtt',
  'text/srt',
  'application/x-subrip',
])

/**
 * Reads a response that is neither JSON nor events until its first bytes have arrived.
 * @throws UpstreamError for one that is empty or of another type than requested; AppError when the gateway stops.
 */
export async function openBytes(
  { body, headers }: Pick<UpstreamResponse, 'body' | 'headers'>,
  requestedType: string,
  description: ModeDescription,
  clocks: AttemptClocks,
): Promise<BytesOpening> {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type.endsWith('json')) {
    readResponseObject(await parseInTurns(await readResponseBody({ status: 200, headers, body }, clocks)), description)
    throw createMalformedError('The response is JSON where another type was requested')
  }
  const isText = requestedType.startsWith('text/')
  const contentType = isText
    ? textTypes.has(type)
      ? requestedType
      : null
    : anyTypes.has(type)
      ? requestedType
      : audioTypes.get(type)
  if (!contentType) throw createMalformedError(`The response has the unexpected type ${type}`)
  const tap = new BytesTap(isText)
  const first = tap.push(await firstOf(body, clocks))
  return { tap, contentType, first: [first], reader: body, isProven: true }
}

async function firstOf(reader: ByteReader, clocks: AttemptClocks): Promise<Uint8Array> {
  for (;;) {
    const read = await reader.read().catch((cause: unknown) => {
      throw toUpstreamError(clocks, cause)
    })
    if (read.done) throw createMalformedError('The response is empty')
    clocks.began()
    if (read.value.byteLength > 0) return read.value
  }
}
