import { ByteReader, ByteWriter } from '../bytes'
import { spans, type DimensionName } from '../dimensions'
import type { Measures, MeasuredCall } from './measures'

/** What a call or a failed attempt is added up by. */
export interface MeasureKey {
  /** Its first second. */
  readonly hour: number
  readonly values: Readonly<Record<DimensionName, string>>
}

/** Where a call or an attempt came from. */
export interface Origin {
  readonly createdAt: number
  readonly userId: number
  readonly tokenName: string
  readonly modelName: string
  readonly channelId: number
  readonly group: string
}

const kinds = { call: 0, plainCall: 1, error: 2 } as const

/** Calls and failed attempts as they are charged and recorded, for one row of `measure_batches`. */
export class BatchWriter {
  readonly #writer = new ByteWriter()
  /** The first second of the latest hour. */
  hour = 0
  isEmpty = true

  call(origin: Origin, call: MeasuredCall): void {
    this.#begin(origin, call.firstTokenMs === null ? kinds.plainCall : kinds.call)
    const writer = this.#writer
    writer.number(call.wholeMs)
    if (call.firstTokenMs !== null) writer.number(call.firstTokenMs)
    writer.number(call.promptTokens)
    writer.number(call.completionTokens)
    writer.number(call.cachedTokens)
    writer.number(call.cacheSaved)
  }

  error(origin: Origin, code: string): void {
    this.#begin(origin, kinds.error)
    this.#writer.text(code)
  }

  bytes(): Uint8Array {
    return this.#writer.bytes()
  }

  #begin({ createdAt, userId, tokenName, modelName, channelId, group }: Origin, kind: number): void {
    const hours = Math.floor(createdAt / spans.hour)
    this.isEmpty = false
    this.hour = Math.max(this.hour, hours * spans.hour)
    const writer = this.#writer
    writer.number(kind)
    writer.number(hours)
    writer.number(userId)
    writer.text(tokenName)
    writer.text(modelName)
    writer.number(channelId)
    writer.text(group)
  }
}

/** Adds each call and attempt of a batch to the measures that `targetsOf` names for its key. */
export function readBatch(bytes: Uint8Array, targetsOf: (key: MeasureKey) => readonly Measures[]): void {
  const reader = new ByteReader(bytes)
  while (!reader.isAtEnd) {
    const kind = reader.number()
    const targets = targetsOf(readKey(reader))
    if (kind === kinds.error) {
      const code = reader.text()
      for (const target of targets) target.addErrors(code, 1)
    } else {
      const call = readCall(reader, kind === kinds.call)
      for (const target of targets) target.addCall(call)
    }
  }
}

// Properties are read in the order in which they were written.
const readKey = (reader: ByteReader): MeasureKey => ({
  hour: reader.number() * spans.hour,
  values: {
    user_id: String(reader.number()),
    token_name: reader.text(),
    model_name: reader.text(),
    channel_id: String(reader.number()),
    group: reader.text(),
  },
})

const readCall = (reader: ByteReader, isStreamed: boolean): MeasuredCall => ({
  wholeMs: reader.number(),
  firstTokenMs: isStreamed ? reader.number() : null,
  promptTokens: reader.number(),
  completionTokens: reader.number(),
  cachedTokens: reader.number(),
  cacheSaved: reader.number(),
})
