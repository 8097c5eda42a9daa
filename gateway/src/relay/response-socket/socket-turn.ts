import {
  DialectError,
  inputItems,
  isObject,
  objectOf,
  outputItems,
  parsedObject,
  textOf,
  withEarlierItems,
  type JsonObject,
  type ServerEvent,
} from '@tollgate/dialects'

import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import { readJsonText, type BodyReader } from '../admission/read-body'
import type { BodySource } from '../call'
import { errorFrameOf, frameOf, headersOf } from './frames'
import { maxRecentBytes, type RecentResponses } from './recent-responses'

/** Members of a message that are not of the body of a request. */
const transportMembers: ReadonlySet<string> = new Set(['type', 'stream_id', 'stream_options', 'background'])

/**
 * A message of a client that asks for a response. It is read where the body of an HTTP call is, so that nothing is parsed for a caller who
 * may not call. An earlier response of this socket is put before its input: no upstream needs to have kept it.
 */
export class SocketTurn implements BodySource {
  readonly kind = 'turn'
  #streamId = ''
  /** Everything said until the response; null: it is not known here. */
  #items: readonly JsonObject[] | null = null
  #bytes = 0
  /** The earlier response that the turn builds on. */
  #previousId: string | null = null
  readonly #ended: string[] = []
  #hasResponse = false
  #headers: Readonly<Record<string, string>> | null = null

  constructor(
    private readonly text: string,
    private readonly recent: RecentResponses,
  ) {}

  /** By which a client tells its conversations apart; empty: it does not. */
  get streamId(): string {
    return this.#streamId
  }

  /** @throws AppError `request.too_large`, `request.malformed`, `gateway.memory`; DialectError. */
  readonly readBody: BodyReader = async (_request, dialect, { config }, room) => {
    const { json } = await readJsonText(this.text, { dialect, maxBytes: config.maxRequestBodyBytes }, room)
    this.#streamId = readStreamId(json)
    if (json['type'] !== 'response.create') throw unknownType(json['type'])
    return { ...this.#bodyOf(json), room }
  }

  /** Called when there is a response: its first frame has its headers. */
  begin(response: Response): void {
    this.#headers = headersOf(response)
  }

  /** Returns the frame for an event of the response. */
  frameOf({ name, data }: ServerEvent): string {
    if (name === 'error' || data.startsWith('{"type":"error"')) return errorFrameOf(data, this.#streamId)
    if (isOfType(data, name, responseEnds)) this.#keep(data)
    else if (this.#items !== null && isOfType(data, name, itemEnds)) this.#addEnded(data)
    const frame = frameOf(data, { streamId: this.#streamId, headers: this.#headers })
    this.#headers = null
    return frame
  }

  /** Ends the turn. One that failed makes the response on which it built unknown. https://www.openresponses.org/specification */
  end(): void {
    if (!this.#hasResponse && this.#previousId !== null) this.recent.forget(this.#previousId)
  }

  #bodyOf(json: JsonObject): ParsedBody {
    const members = Object.fromEntries(Object.entries(json).filter(([name]) => !transportMembers.has(name)))
    const body = { ...members, stream: true }
    const input = inputItems(json)
    this.#bytes = this.text.length
    this.#previousId = textOf(json['previous_response_id']) || null
    if (this.#previousId === null) {
      this.#items = input
      return bodyOf(body)
    }
    const previous = this.recent.find(this.#previousId)
    if (previous === undefined) return bodyOf(body)
    requireCalls(input, previous.items)
    this.#items = [...previous.items, ...input]
    this.#bytes += previous.bytes
    return bodyOf(withEarlierItems(body, previous.items))
  }

  /** Some vendors leave out of the end what they said before. */
  #addEnded(data: string): void {
    this.#bytes += data.length
    this.#ended.push(data)
    if (this.#bytes <= maxRecentBytes) return
    this.#items = null
    this.#ended.length = 0
  }

  /** Keeps the response for the next turn, unless its vendor does. */
  #keep(data: string): void {
    this.#hasResponse = true
    if (this.#items === null) return
    const response = responseIn(data)
    const id = textOf(response['id'])
    if (response['store'] === true || id === '') return
    const repeated = outputItems(response)
    const output = repeated.length > 0 ? repeated : this.#ended.flatMap(itemIn)
    this.recent.keep(this.#streamId, { id, items: [...this.#items, ...output], bytes: this.#bytes + data.length })
  }
}

const responseEnds = ['response.completed', 'response.incomplete']
const itemEnds = ['response.output_item.done']

/** Some vendors name their events in the data alone. */
const isOfType = (data: string, name: string, types: readonly string[]): boolean =>
  types.includes(name) || (name === '' && types.some((type) => data.startsWith(`{"type":"${type}"`)))

const responseIn = (data: string): JsonObject => objectOf(parsedObject(data)?.['response'])

function itemIn(event: string): JsonObject[] {
  const item = parsedObject(event)?.['item']
  return isObject(item) ? [item] : []
}

const streamId = /^[\w.-]{1,256}$/

function readStreamId({ stream_id: id }: JsonObject): string {
  if (id === undefined || id === null) return ''
  if (typeof id === 'string' && streamId.test(id)) return id
  const message =
    "Invalid 'stream_id': it must be a text of at most 256 characters, all of them letters, digits, underscores, hyphens or periods."
  throw new DialectError('stream_id', 'invalid_stream_id', message)
}

const unknownType = (type: unknown): DialectError =>
  new DialectError(
    'type',
    'invalid_value',
    `Invalid 'type': messages must be of the type 'response.create'${typeof type === 'string' ? `, not '${type.slice(0, 64)}'` : ''}.`,
  )

const isOutput = ({ type }: JsonObject): boolean => textOf(type).endsWith('_call_output')

/** Refuses results of tools that the earlier response did not call. @throws DialectError */
function requireCalls(input: readonly JsonObject[], earlier: readonly JsonObject[]): void {
  const outputs = input.filter(isOutput)
  if (outputs.length === 0) return
  const called = new Set([...earlier, ...input].filter((item) => !isOutput(item)).map(({ call_id: id }) => id))
  const stray = outputs.find(({ call_id: id }) => id !== undefined && !called.has(id))
  if (stray === undefined) return
  const message = `No tool call found for the tool output with call_id '${textOf(stray['call_id']).slice(0, 64)}'.`
  throw new DialectError('input', 'invalid_value', message)
}

/** Headers of the handshake. The protocols stay, as the key may be among them. */
const handshakeHeaders = [
  'connection',
  'upgrade',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
]

/** Returns the request that a turn makes; its body is read from the message. `signal` is aborted when the client leaves. */
export function turnRequest({ url, headers: own }: Request, signal: AbortSignal): Request {
  const headers = new Headers(own)
  for (const name of handshakeHeaders) headers.delete(name)
  return new Request(url, { method: 'POST', headers, signal })
}

/** Codex tells which response it has processed, which asks for nothing. */
export const isAcknowledgement = (text: string): boolean => /^\s*\{\s*"type"\s*:\s*"response\.processed"/.test(text)
