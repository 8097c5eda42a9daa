import { AppError } from '../app-error'

const megabyte = 1024 * 1024

/**
 * The text of a request's body, read no further than the limit.
 * @throws AppError `body.too_large`.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
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
 * @throws AppError `body.too_large`, `body.malformed`.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readBody(request, maxBytes)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('body.malformed', { cause })
  }
}
