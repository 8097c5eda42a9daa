import type { StreamTap } from '../../core/dialect'
import { isObject, type JsonObject } from '../../core/json'
import type { NeutralCall } from '../../core/neutral/call'
import type { ClientCodec, EventReader, ServerEvent, UpstreamCodec } from '../../core/neutral/codec'
import type { AnswerEvent } from '../../core/neutral/events'
import { serverEvent, SseFrames } from '../../core/streaming/sse-frames'
import type { DialectId } from '../../core/mode'
import { applyChanges, changesOf, withUsage } from '../event-changes'
import { LossWatch, findLosses } from '../losses'
import { TranslatingTap } from '../translating-tap'
import type { ResponseOptions, RoundReader, SearchRound, TranslatedCall, WholeAnswer } from '../translate'
import { searchNameIn, searchTermsOf } from './search-tool'

interface SearchingDeps extends Pick<TranslatedCall, 'body' | 'warnings'> {
  readonly client: ClientCodec
  readonly clientId: DialectId
  readonly upstream: UpstreamCodec
  /** As the client wrote it. */
  readonly call: NeutralCall
  /** Gives events the client's names and fresh ids. */
  readonly readerOf: (reader: EventReader) => EventReader
  readonly changeEvents: (events: readonly AnswerEvent[]) => readonly AnswerEvent[]
}

/** A chat whose searches are run for its model. What its rounds say is joined before it is written for the client. */
export class SearchingChat implements TranslatedCall {
  readonly body: JsonObject
  readonly warnings: readonly string[]
  readonly round: SearchRound
  readonly #deps: SearchingDeps

  constructor(deps: SearchingDeps) {
    const { upstream, call } = deps
    this.#deps = deps
    this.body = deps.body
    this.warnings = deps.warnings
    this.round = {
      searchName: searchNameIn(call),
      terms: searchTermsOf(call),
      readAnswer: (answer) => deps.changeEvents(upstream.readAnswer(answer)),
      createReader: () => new FramedReader(deps.readerOf(upstream.createReader())),
    }
  }

  read({ events }: JsonObject): WholeAnswer {
    const { client, clientId, call } = this.#deps
    const joined = Array.isArray(events) ? (events as AnswerEvent[]) : []
    return {
      leftOut: findLosses(joined, clientId, client),
      write: (usage, options) =>
        client.writeAnswer(withUsage(applyChanges(joined, options), usage), { ...options, call }),
    }
  }

  createTap(options: ResponseOptions): StreamTap {
    const { client, clientId, call, upstream } = this.#deps
    return new TranslatingTap({
      lost: new LossWatch(clientId, client),
      reader: joinedReader,
      writer: client.createWriter({ ...options, call }),
      format: client,
      changes: changesOf(options),
      promptTokens: options.promptTokens,
      isSealed: upstream.sealsThoughts === true,
    })
  }
}

const encoder = new TextEncoder()

/** Returns events of a joined answer as `createTap` reads them. */
export const roundText = (events: readonly AnswerEvent[]): Uint8Array<ArrayBuffer> =>
  encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))

const joinedReader: EventReader = {
  read: ({ data }) => {
    const event: unknown = JSON.parse(data)
    return isObject(event) ? [event as unknown as AnswerEvent] : []
  },
  end: () => [],
}

const decoder = new TextDecoder()

/** Cuts what an upstream sends into events, and reads them. */
class FramedReader implements RoundReader {
  readonly #frames = new SseFrames()

  constructor(private readonly reader: EventReader) {}

  push(chunk: Uint8Array): readonly AnswerEvent[] {
    const read = this.#frames.push(chunk)
    if (read === null) return []
    let { start } = read
    return read.ends.flatMap((end) => {
      const text = decoder.decode(read.bytes.subarray(start, end))
      start = end
      return this.#read(serverEvent(text))
    })
  }

  end(): readonly AnswerEvent[] {
    const rest = this.#frames.rest()
    const last = rest.length > 0 ? this.#read(serverEvent(decoder.decode(rest))) : []
    return [...last, ...this.reader.end()]
  }

  #read(event: ServerEvent | null): readonly AnswerEvent[] {
    return event === null ? [] : this.reader.read(event)
  }
}
