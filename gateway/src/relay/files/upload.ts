import { idempotencyKeyHeader, repeatedHeader } from '@tollgate/contract'
import { DialectError, isObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { parseTextInTurns } from '../../channels/calls/parse-response-object'
import { announcedBytes, piecesOf } from '../../http/request/body-time'
import { newResponseId } from '../../http/request/request-id'
import { linesOf, readFile } from '../../tasks/files/read-file'
import { bytesAMegabyte, FileWriter, pieceBytes, type FileFacts } from '../../tasks/files/write-file'
import { boundaryOf, MalformedForm, type FormPart } from '../admission/cut-form'
import type { Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { createOnce } from '../tasks/create-once'
import { LongWork } from '../in-flight/long-work'
import { fileForm } from './file-object'
import { streamForm } from './stream-form'

/** https://platform.openai.com/docs/api-reference/files/create */
const purposes: ReadonlySet<string> = new Set(['assistants', 'batch', 'evals', 'fine-tune', 'user_data', 'vision'])
const purposeOfMessages = 'user_data'

const maxFieldBytes = 4096
const formMarginBytes = 64 * 1024
/** A longer line holds no request. */
export const maxLineBytes = 8 * bytesAMegabyte
const maxNameLength = 255
/** Bytes that wait for their piece, the piece, the same encrypted, and what arrives. */
const roomPieces = 4

/**
 * Keeps the file of a form, once for each key that the client names, and responds with it. It is not visible before all of it is there and as it should be, and otherwise nothing of it stays.
 * @throws AppError, DialectError.
 */
export async function upload(call: IncomingCall, caller: Caller, deps: RelayDeps): Promise<Response> {
  const { ctx, inFlight } = deps
  const { FileMegabytes: maxMegabytes } = call.catalog.options
  const tooLarge = new AppError('request.too_large', { params: { limit: maxMegabytes } })
  const maxBytes = maxMegabytes * bytesAMegabyte
  if ((announcedBytes(call.request) ?? 0) > maxBytes + formMarginBytes) throw tooLarge
  using room = inFlight.memory.open(caller.payer.userId)
  room.take(roomPieces * pieceBytes)
  const publicId = newResponseId(ctx, fileForm(call.dialect).idPrefix)
  const pieces = formPieces(call.request, ctx)
  const writer = await FileWriter.begin(ctx, { publicId, userId: caller.account.id, tokenId: caller.key?.id ?? 0 })
  const content = new Bun.CryptoHasher('sha256')
  const work = new LongWork(inFlight)
  const isKeyed = call.request.headers.has(idempotencyKeyHeader)
  try {
    const form = await readForm(pieces, async (bytes) => {
      if (writer.bytes + bytes.byteLength > maxBytes) throw tooLarge
      if (isKeyed) content.update(bytes)
      await writer.write(bytes)
      work.step(bytes.byteLength, 1)
    })
    const facts = factsOf(call, form)
    const written = await writer.flush()
    if (writer.bytes === 0) throw invalid('file', 'the file is empty')
    if (facts.purpose === 'batch') await requireLines(readFile(ctx, written), call.catalog.options.BatchMaxLines, work)
    const input = JSON.stringify([facts, isKeyed ? content.digest('hex') : ''])
    const response = await createOnce(call, caller, deps, { name: 'POST /v1/files', input }, async (mark) =>
      fileForm(call.dialect).objectOf(await writer.finish(facts, mark)),
    )
    if (response.headers.has(repeatedHeader)) await writer.abandon()
    return response
  } catch (error) {
    await writer.abandon()
    throw error instanceof MalformedForm ? new AppError('request.form', { cause: error }) : error
  }
}

/** Returns what reads the form of a request. @throws AppError `request.form`. */
function formPieces({ headers, body }: Request, { timers }: Pick<RelayDeps['ctx'], 'timers'>) {
  try {
    const boundary = boundaryOf(headers.get('content-type') ?? '')
    if (boundary !== null && body) return streamForm(piecesOf(body, timers), boundary)
  } catch (cause) {
    if (!(cause instanceof MalformedForm)) throw cause
  }
  throw new AppError('request.form')
}

interface UploadForm {
  readonly file: Omit<FormPart, 'bytes'>
  readonly fields: ReadonlyMap<string, string>
}

/** @throws MalformedForm, AppError `body.slow`, DialectError; what `write` throws. */
async function readForm(
  events: ReturnType<typeof streamForm>,
  write: (bytes: Buffer<ArrayBuffer>) => Promise<void>,
): Promise<UploadForm> {
  let file: UploadForm['file'] | null = null
  let part: UploadForm['file'] | null = null
  const fields = new Map<string, string>()
  for await (const event of events) {
    if ('part' in event) {
      part = event.part
      if (part.filename === null ? fields.has(part.name) : file !== null || part.name !== 'file')
        throw new MalformedForm('A part of the form is there twice, or is not known')
      if (part.filename === null) fields.set(part.name, '')
      else file = part
      continue
    }
    if (part === null || part === file) {
      await write(event.bytes)
      continue
    }
    const text = (fields.get(part.name) ?? '') + event.bytes.toString('latin1')
    if (text.length > maxFieldBytes) throw new MalformedForm('A field of the form is too long')
    fields.set(part.name, text)
  }
  if (file === null) throw missing('file')
  return { file, fields }
}

/** @throws DialectError. */
function factsOf(call: IncomingCall, { file, fields }: UploadForm): FileFacts {
  const lifeSeconds = call.catalog.options.FileDays * daySeconds
  return {
    purpose: call.dialect === 'anthropic-messages' ? purposeOfMessages : purposeIn(fields),
    filename: (file.filename ?? '').replaceAll('\0', '').slice(-maxNameLength),
    contentType: contentTypeOf(file),
    lifeSeconds: Math.min(lifeSeconds, requestedSeconds(fields) ?? Infinity),
  }
}

function purposeIn(fields: UploadForm['fields']): string {
  const purpose = fields.get('purpose')
  if (purpose === undefined) throw missing('purpose')
  if (!purposes.has(purpose)) throw invalid('purpose', `expected one of ${[...purposes].join(', ')}`)
  return purpose
}

const daySeconds = 86_400
const minLifeSeconds = 3600
const maxLifeSeconds = 30 * daySeconds

/** https://platform.openai.com/docs/api-reference/files/create, https://docs.claude.com/en/api/files-create */
function requestedSeconds(fields: UploadForm['fields']): number | null {
  const named = ['expires_after[seconds]', 'expires_in_seconds'].find((name) => fields.has(name))
  if (named === undefined) return null
  if (named === 'expires_after[seconds]' && fields.get('expires_after[anchor]') !== 'created_at')
    throw invalid('expires_after[anchor]', 'expected created_at')
  const seconds = Number(fields.get(named))
  if (!Number.isInteger(seconds) || seconds < minLifeSeconds || seconds > maxLifeSeconds)
    throw invalid(named, `expected a number from ${minLifeSeconds} to ${maxLifeSeconds}`)
  return seconds
}

const plainType = /^[\w.+-]+\/[\w.+-]+$/
const unknownType = 'application/octet-stream'

/** Returns the media type that the form names, or that of the file's name. */
function contentTypeOf({ type, filename }: UploadForm['file']): string {
  const [named = ''] = type.toLowerCase().split(';')
  const trimmed = named.trim()
  if (plainType.test(trimmed) && trimmed !== unknownType) return trimmed
  const [byName = ''] = Bun.file(filename ?? '').type.split(';')
  return plainType.test(byName) ? byName : unknownType
}

/**
 * Looks at as many lines as a batch may have: one with more says so itself.
 * @throws DialectError for a line that is not an object, which it names.
 */
async function requireLines(pieces: AsyncIterable<Uint8Array>, maxLines: number, work: LongWork): Promise<void> {
  let count = 0
  for await (const { number, text } of linesOf(pieces, maxLineBytes)) {
    count += 1
    if (count > maxLines) return
    if (!(await isObjectText(text))) throw invalid('file', `line ${number} is not a JSON object`)
    work.step(text.length, 1)
  }
  if (count === 0) throw invalid('file', 'it has no lines')
}

/** One that is nested deeper, or has more structure, than any call is not taken for one. */
const isObjectText = (text: string): Promise<boolean> => parseTextInTurns(text).then(isObject, () => false)

const missing = (name: string): DialectError =>
  new DialectError(name, 'missing_required_parameter', `Missing required parameter: '${name}'.`)

const invalid = (name: string, expected: string): DialectError =>
  new DialectError(name, 'invalid_value', `Invalid '${name}': ${expected}.`)
