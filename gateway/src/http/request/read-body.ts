import { scanJson, type StructureLimits } from '@tollgate/dialects'
import type { Route } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { announcedBytes, inBodyTime, piecesOf, type BodyDeps } from './body-time'

const kilobyte = 1024
const megabyte = 1024 * 1024

/** A guest sends a name and a password. */
const guestBytes = 4 * kilobyte
/** No console call sends more than a long text or a table of prices. */
const callerBytes = megabyte

/** Returns the most bytes that the body of a console call may have. */
export const maxBodyBytes = ({ access, maxBodyBytes: own }: Pick<Route, 'access' | 'maxBodyBytes'>): number =>
  own ?? (access === 'guest' ? guestBytes : callerBytes)

/** Far above what the contract describes; the most expensive such body takes about 0.1 s to parse and check. */
const structure: StructureLimits = { depth: 64, parts: 100_000, commas: 100_000 }

/**
 * Resolves with the bytes of a request's body, read no further than the limit whatever was announced.
 * @throws AppError `body.too_large`, `body.slow`.
 */
export const readBytes = (request: Request, maxBytes: number, deps: BodyDeps): Promise<Uint8Array> =>
  inBodyTime(request, readBody(request, Math.min(maxBytes, deps.config.maxRequestBodyBytes), deps), deps)

async function readBody(request: Request, maxBytes: number, { timers }: BodyDeps): Promise<Buffer> {
  if ((announcedBytes(request) ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (!request.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of piecesOf(request.body, timers)) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): AppError {
  const limit = maxBytes < megabyte ? `${maxBytes / kilobyte} KB` : `${maxBytes / megabyte} MB`
  return new AppError('body.too_large', { params: { limit } })
}

/**
 * Resolves with the JSON value of a body; undefined when it is empty.
 * @throws AppError `body.too_large`, `body.slow`, `body.malformed`, `input.invalid` for more structure than any call has.
 */
export async function readJson(request: Request, maxBytes: number, deps: BodyDeps): Promise<unknown> {
  const text = Buffer.from(await readBytes(request, maxBytes, deps)).toString('utf8')
  if (text.trim() === '') return undefined
  if (scanJson(text, structure).exceeded !== null) throw new AppError('input.invalid', { params: { detail: 'body' } })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('body.malformed', { cause })
  }
}
