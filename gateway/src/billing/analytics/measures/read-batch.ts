import { kinds, type MeasuredCall } from '../../ledger/charge/measure-batch'
import { ByteReader } from '../../../platform/store/bytes'
import { spans, type DimensionName } from '../rollups'
import type { Measures } from './measures'

/** The values by which a call or a failed attempt is counted. */
export interface MeasureKey {
  /** Its first second. */
  readonly hour: number
  readonly values: Readonly<Record<DimensionName, string>>
}

/** Adds each call and attempt of a batch to the measures that `targetsOf` returns for its key. */
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
      for (const target of targets) target.addCall(kind === kinds.untimedCall ? { ...call, wholeMs: null } : call)
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
