import {
  checkNames,
  DialectError,
  dialects,
  finishSteps,
  FormFile,
  isObject,
  parseInSlices,
  scanRequestInSteps,
  type DialectId,
  type JsonObject,
  type JsonScan,
} from '@tollgate/dialects'
import { isAscii } from 'node:buffer'

import { AppError } from '../../platform/app-error'
import type { ParsedBody, RecordingLength } from '../../channels/calls/parsed-body'
import { announcedBytes, inBodyTime, piecesOf, type BodyDeps } from '../../http/request/body-time'
import { detach, type Room } from '../../http/limits/byte-budget'
import { inTurns, turnOver, type Timers } from '../../platform/time/timers'
import { readWhole } from '../../http/request/read-whole'
import { parseSharing } from './parse-sharing'
import { boundaryOf, cutForm, MalformedForm, type FormPart } from './cut-form'
import { measuredSeconds, minBytesPerSecond } from '../../billing/metering/media/recordings'
import { WorkQueue } from '../../platform/time/work-queue'

/** Reads the body of a model call into its room. The caller opens the room and gives it back. */
export type BodyReader = (request: Request, dialect: DialectId, deps: BodyDeps, room: Room) => Promise<ParsedBody>

/** Not counted: the sockets of as many calls take more. */
const smallBytes = 16 * 1024
/** Text and what is parsed from it, or the bytes and the text while they are decoded. */
const jsonFactor = 2

/**
 * Reads and parses the body of a model call; the one parse a call gets.
 * @throws AppError `request.too_large`, `request.malformed`, `body.slow`, `gateway.memory`; DialectError when it is nested too deeply, has
 * too much structure, or has names that upstreams might take for others.
 */
export const readJsonBody: BodyReader = async (request, dialect, deps, room) => {
  const reading = readText(request, deps, room)
  const text = Bun.peek(reading)
  const whole = typeof text === 'string' ? text : await reading
  return isLong(whole) ? inTurns(parseInSteps(whole, dialect, room)) : finishSteps(parseInSteps(whole, dialect, room))
}

/** Longer texts may have so much structure that what is done with them needs several turns of the event loop. */
const longLength = 256 * 1024
const isLong = ({ length }: string): boolean => length > longLength
/** A parser makes this many elements of a text in some milliseconds. */
const maxElementsInTurn = 500_000
/** And 4 million characters beside strings, should all of them be digits. */
const maxBareInTurn = 4_000_000

interface TextLimits {
  readonly dialect: DialectId
  readonly maxBytes: number
}

/** Does the same for the body of a call that is here as a text. @throws as `readJsonBody` does. */
export async function readJsonText(text: string, { dialect, maxBytes }: TextLimits, room: Room): Promise<ParsedBody> {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(maxBytes)
  if (bytes > smallBytes) room.take(bytes * jsonFactor)
  return parseBody(text, dialect, room)
}

/** Parses the text of a body, a long one in several turns. @throws AppError `request.malformed`; DialectError as `readJsonBody`. */
export const parseBody = async (text: string, dialect: DialectId, room?: Room): Promise<ParsedBody> =>
  isLong(text) ? inTurns(parseInSteps(text, dialect, room)) : finishSteps(parseInSteps(text, dialect, room))

function* parseInSteps(text: string, dialect: DialectId, room?: Room): Generator<undefined, ParsedBody, undefined> {
  const { members, modelColon, longStrings, elements, bare } = yield* scanRequestInSteps(text)
  const isInSlices = isLong(text) && (elements > maxElementsInTurn || bare > maxBareInTurn)
  const json = isInSlices ? yield* parseObjectInSlices(text, room) : parseObject(text, longStrings)
  yield
  const repeatsNames = checkNames(json, dialects[dialect].names ?? null) !== members
  return { text, json, repeatsNames, modelColon, room }
}

/**
 * Reads a form into one buffer, of which its files are views.
 * @throws AppError `request.too_large`, `request.form`, `body.slow`, `gateway.memory`; DialectError for names that upstreams might take for others.
 */
export const readFormBody: BodyReader = async (request, dialect, deps, room) => {
  const maxBytes = deps.config.maxRequestBodyBytes
  const encoding = encodingOf(request, maxBytes)
  const boundary = asForm(() => boundaryOf(request.headers.get('content-type') ?? ''))
  if (boundary === null) throw new AppError('request.form')
  const bytes = await readBytes(request, encoding, deps, room)
  room.keep(bytes)
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const json = fieldsOf(asForm(() => cutForm(bytes, boundary)))
  checkNames(json, dialects[dialect].names ?? null)
  return { text: '', json, repeatsNames: false, modelColon: -1, room }
}

/** Reads a form or JSON, as the request declares. */
export const readFormOrJsonBody: BodyReader = (request, dialect, deps, room) =>
  (isForm(request) ? readFormBody : readJsonBody)(request, dialect, deps, room)

const isForm = ({ headers }: Request): boolean => /^multipart\//i.test(headers.get('content-type') ?? '')

export function readText(request: Request, deps: BodyDeps, room: Pick<Room, 'take'>): Promise<string> {
  const maxBytes = deps.config.maxRequestBodyBytes
  const encoding = encodingOf(request, maxBytes)
  const announced = announcedBytes(request)
  if (encoding === null && announced !== null && announced <= smallBytes) return read(request, request.text(), deps)
  return readLongText(request, encoding, deps, room)
}

async function readLongText(
  request: Request,
  encoding: string | null,
  deps: BodyDeps,
  room: Pick<Room, 'take'>,
): Promise<string> {
  const { maxRequestBodyBytes: maxBytes } = deps.config
  const twice = { take: (bytes: number) => room.take(bytes * jsonFactor) }
  const bytes = await readBytes(request, encoding, deps, twice)
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const text = isAscii(bytes) ? bytes.toString('latin1') : withoutMark(bytes.toString('utf8'))
  detach(bytes)
  return text
}

/** As a `Request` reads its text. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** Resolves with a body in one buffer, unpacked. */
function readBytes(
  request: Request,
  encoding: string | null,
  deps: BodyDeps,
  room: Pick<Room, 'take'>,
): Promise<Buffer<ArrayBuffer>> {
  const announced = announcedBytes(request)
  if (encoding === null && announced !== null && announced > smallBytes) room.take(announced)
  const maxBytes = deps.config.maxRequestBodyBytes
  let size = 0
  const took = (bytes: number) => {
    size += bytes
    if (size > maxBytes) throw tooLarge(maxBytes)
    room.take(bytes)
  }
  const reading =
    encoding === null ? readWhole(request, deps.timers, took) : decompress(request, encoding, deps.timers, took)
  return read(request, reading, deps)
}

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
    const value = filename === null ? fieldText(bytes) : new FormFile(filename, type, bytes)
    const values = fields.get(name)
    if (!values) fields.set(name, [value])
    else if (filename === null && !name.endsWith('[]')) throw ambiguousNameError(name)
    else values.push(value)
  }
  const members = [...fields].map(([name, values]) => [
    name,
    values.length === 1 && !name.endsWith('[]') ? values[0] : values,
  ])
  return Object.fromEntries(members)
}

/** In JSON each takes six times the room, which no upstream is sent for it. */
const controlCharacters = /[^\P{Cc}\t\n\r]/u

/** @throws AppError `request.form`. */
function fieldText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (controlCharacters.test(text)) throw new AppError('request.form')
  return text
}

const maxNameLength = 64

function ambiguousNameError(name: string): DialectError {
  const shown = name.slice(0, maxNameLength)
  return new DialectError(shown, 'ambiguous_parameter', `Ambiguous parameter: '${shown}' is given more than once.`)
}

const tooLarge = (maxBytes: number) =>
  new AppError('request.too_large', { params: { limit: Math.floor(maxBytes / (1024 * 1024)) } })

/** Returns how a body is packed; null when it is not. @throws AppError `request.too_large` for one that is announced as such. */
function encodingOf(request: Request, maxBytes: number): string | null {
  if ((announcedBytes(request) ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const encoding = request.headers.get('content-encoding') ?? ''
  return encoding === '' || encoding === 'identity' ? null : encoding
}

/** Most small bodies have arrived with their head. */
const isHere = (reading: Promise<unknown>): boolean => Bun.peek.status(reading) === 'fulfilled'

const read = <Value>(request: Request, reading: Promise<Value>, deps: BodyDeps): Promise<Value> =>
  isHere(reading) ? reading : readLate(request, reading, deps)

/** Ends with the turn of the event loop in which the rest arrived: by then it is known whether more came behind it. */
async function readLate<Value>(request: Request, reading: Promise<Value>, deps: BodyDeps): Promise<Value> {
  try {
    const value = await inBodyTime(request, reading, deps)
    await turnOver(deps.timers)
    return value
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('request.malformed', { cause })
  }
}

const formats: Readonly<Record<string, CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** Decompresses a body. `took` counts while it grows, so that a small one cannot expand beyond the limit. */
async function decompress(
  request: Request,
  encoding: string,
  timers: Timers,
  took: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const format = formats[encoding.trim().toLowerCase()]
  if (!format || !request.body) throw new AppError('request.malformed')
  const parts: Uint8Array[] = []
  for await (const part of piecesOf(request.body.pipeThrough(new DecompressionStream(format)), timers)) {
    took(part.byteLength)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function parseObject(text: string, longStrings: JsonScan['longStrings']): JsonObject {
  try {
    return requireObject(parseSharing(text, longStrings))
  } catch (cause) {
    throw asMalformed(cause)
  }
}

function* parseObjectInSlices(
  text: string,
  room: Pick<Room, 'take'> | undefined,
): Generator<undefined, JsonObject, undefined> {
  room?.take(text.length)
  try {
    return requireObject(yield* parseInSlices(Buffer.from(text)))
  } catch (cause) {
    throw asMalformed(cause)
  }
}

function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new AppError('request.malformed')
  return value
}

const asMalformed = (cause: unknown): unknown =>
  cause instanceof SyntaxError ? new AppError('request.malformed', { cause }) : cause

/** Measuring a file may take two seconds of processor time, in small turns: a user's files are measured one after the other. */
export const recordingQueue = new WorkQueue({ running: 2, perKey: 1, waiting: 256 })

/** As `readFormBody`, for a form whose `file` is a recording. Measures its duration. @throws AppError `gateway.busy` when too many wait. */
export const readRecording: BodyReader = async (request, dialect, deps, room) => {
  const body = await readFormBody(request, dialect, deps, room)
  const { file } = body.json
  if (!(file instanceof FormFile)) return body
  return { ...body, recording: await recordingQueue.run(() => lengthOf(file), room.userId) }
}

async function lengthOf({ bytes }: FormFile): Promise<RecordingLength> {
  const seconds = await measuredSeconds({ bytes, size: bytes.byteLength })
  return seconds === null
    ? { seconds: bytes.byteLength / minBytesPerSecond, isMeasured: false }
    : { seconds, isMeasured: true }
}
