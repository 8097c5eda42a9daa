import { AppError } from '../app-error'
import type { Config } from '../config'
import { inBodyTime } from './body-time'

const megabyte = 1024 * 1024

/** How large a body may be, and how long it may take. */
export type BodyLimits = Pick<Config, 'maxRequestBodyBytes' | 'requestTimeoutMs'>

/**
 * Before anything is read or looked up.
 * @throws AppError `body.too_large` when the request announces more than the limit.
 */
export function checkLength(request: Request, maxBytes: number): void {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/**
 * The text of a request's body, read no further than the limit whatever was announced.
 * @throws AppError `body.too_large`.
 */
async function readBody(request: Request, maxBytes: number): Promise<string> {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLarge = (maxBytes: number) =>
  new AppError('body.too_large', { params: { limit: Math.floor(maxBytes / megabyte) } })

/**
 * The JSON value of a body; undefined when it is empty.
 * @throws AppError `body.too_large`, `body.slow`, `body.malformed`.
 */
export async function readJson(request: Request, config: BodyLimits): Promise<unknown> {
  const text = await inBodyTime(request, readBody(request, config.maxRequestBodyBytes), config)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('body.malformed', { cause })
  }
}
