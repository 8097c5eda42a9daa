import {
  checkNames,
  DialectError,
  dialects,
  FormFile,
  isObject,
  scanRequest,
  type DialectId,
  type JsonObject,
} from '@tollgate/dialects'

import { AppError } from '../../app-error'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import { inBodyTime, type BodyDeps } from '../../http/request/body-time'
import { detach, readWhole } from '../../http/request/read-whole'
import { boundaryOf, cutForm, MalformedForm, type FormPart } from './cut-form'

/** Reads the body of a model call. */
export type BodyReader = (request: Request, dialect: DialectId, deps: BodyDeps) => Promise<ParsedBody>

/**
 * Reads and parses the body of a model call; the one parse a call gets.
 * @throws AppError `request.too_large`, `request.malformed`, `body.slow`; DialectError when it is nested too deeply, has too much
 * structure, or has names that upstreams might take for others.
 */
export const readJsonBody: BodyReader = async (request, dialect, deps) => {
  const maxBytes = deps.config.maxRequestBodyBytes
  const encoding = encodingOf(request, maxBytes)
  const reading =
    encoding === null ? request.text() : unpacked(request, encoding, maxBytes).then((bytes) => bytes.toString('utf8'))
  const text = await read(request, reading, deps)
  // A UTF-16 unit takes at most three bytes in UTF-8, so short texts need no count.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes)
  const { members, modelColon } = scanRequest(text)
  const json = parseObject(text)
  const repeatsNames = checkNames(json, dialects[dialect].names ?? null) !== members
  return { text, json, repeatsNames, modelColon }
}

/**
 * Reads a form into one buffer, of which its files are views.
 * @throws AppError `request.too_large`, `request.form`, `body.slow`; DialectError for names that upstreams might take for others.
 */
export const readFormBody: BodyReader = async (request, dialect, deps) => {
  const maxBytes = deps.config.maxRequestBodyBytes
  const encoding = encodingOf(request, maxBytes)
  const boundary = asForm(() => boundaryOf(request.headers.get('content-type') ?? ''))
  if (boundary === null) throw new AppError('request.form')
  const reading = encoding === null ? readWhole(request) : unpacked(request, encoding, maxBytes)
  const bytes = await read(request, reading, deps)
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const json = fieldsOf(asForm(() => cutForm(bytes, boundary)))
  checkNames(json, dialects[dialect].names ?? null)
  return { text: '', json, repeatsNames: false, modelColon: -1, release: () => detach(bytes) }
}

/** Reads a form or JSON, as the request declares. */
export const readFormOrJsonBody: BodyReader = (request, dialect, deps) =>
  isForm(request) ? readFormBody(request, dialect, deps) : readJsonBody(request, dialect, deps)

const isForm = ({ headers }: Request): boolean => /^multipart\//i.test(headers.get('content-type') ?? '')

function asForm<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof MalformedForm ? new AppError('request.form', { cause }) : cause
  }
}

/**
 * The fields of a form as members of an object: files as such, several of one name as a list. A text may be repeated only under a
 * name that says so, as in `include[]`: readers differ in which of two they take.
 * @throws DialectError `ambiguous_parameter`.
 */
function fieldsOf(parts: readonly FormPart[]): JsonObject {
  const fields = new Map<string, unknown[]>()
  for (const { name, filename, type, bytes } of parts) {
    const value = filename === null ? bytes.toString('utf8') : new FormFile(filename, type, bytes)
    const values = fields.get(name)
    if (!values) fields.set(name, [value])
    else if (filename === null && !name.endsWith('[]')) throw repeated(name)
    else values.push(value)
  }
  const members = [...fields].map(([name, values]) => [
    name,
    values.length === 1 && !name.endsWith('[]') ? values[0] : values,
  ])
  return Object.fromEntries(members)
}

const longestName = 64

function repeated(name: string): DialectError {
  const shown = name.slice(0, longestName)
  return new DialectError(shown, 'ambiguous_parameter', `Ambiguous parameter: '${shown}' is given more than once.`)
}

const tooLarge = (maxBytes: number) =>
  new AppError('request.too_large', { params: { limit: Math.floor(maxBytes / (1024 * 1024)) } })

/** Returns how a body is packed; null when it is not. @throws AppError `request.too_large` for one that is announced as such. */
function encodingOf({ headers }: Request, maxBytes: number): string | null {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const encoding = headers.get('content-encoding') ?? ''
  return encoding === '' || encoding === 'identity' ? null : encoding
}

const read = <Value>(request: Request, reading: Promise<Value>, deps: BodyDeps): Promise<Value> =>
  inBodyTime(request, reading, deps).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('request.malformed', { cause })
  })

const formats: Readonly<Record<string, CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** Decompresses a body and counts while it grows, so that a small one cannot expand beyond the limit. */
async function unpacked(request: Request, encoding: string, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const format = formats[encoding.trim().toLowerCase()]
  if (!format || !request.body) throw new AppError('request.malformed')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body.pipeThrough(new DecompressionStream(format))) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
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
