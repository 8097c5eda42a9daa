import { checkNames, dialects, isObject, scanRequest, type DialectId, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../app-error'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import { inBodyTime } from '../../http/body-time'
import type { BodyLimits } from '../../http/read-body'

/**
 * Reads and parses the body of a model call; the one parse a call gets.
 * @throws AppError `request.too_large`, `request.malformed`, `body.slow`; DialectError when it is nested too deeply, has too much
 * structure, or has names that upstreams might take for others.
 */
export async function readJsonBody(request: Request, dialect: DialectId, limits: BodyLimits): Promise<ParsedBody> {
  const maxBytes = limits.maxRequestBodyBytes
  const encoding = request.headers.get('content-encoding') ?? ''
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const isPlain = encoding === '' || encoding === 'identity'
  const text = await read(request, isPlain ? request.text() : unpacked(request, encoding, maxBytes), limits)
  // A UTF-16 unit takes at most three bytes in UTF-8, so short texts need no count.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes)
  const { members, modelColon } = scanRequest(text)
  const json = parseObject(text)
  const repeatsNames = checkNames(json, dialects[dialect].names ?? null) !== members
  return { text, json, repeatsNames, modelColon }
}

const tooLarge = (maxBytes: number) =>
  new AppError('request.too_large', { params: { limit: Math.floor(maxBytes / (1024 * 1024)) } })

async function read(request: Request, reading: Promise<string>, limits: BodyLimits): Promise<string> {
  try {
    return await inBodyTime(request, reading, limits)
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('request.malformed', { cause })
  }
}

const formats: Readonly<Record<string, CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** Decompresses a body and counts while it grows, so that a small one cannot expand beyond the limit. */
async function unpacked(request: Request, encoding: string, maxBytes: number): Promise<string> {
  const format = formats[encoding.trim().toLowerCase()]
  if (!format || !request.body) throw new AppError('request.malformed')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body.pipeThrough(new DecompressionStream(format))) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parseObject(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError('request.malformed', { cause })
  }
  if (!isObject(value)) throw new AppError('request.malformed')
  return value
}
