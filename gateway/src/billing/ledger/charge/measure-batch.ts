import { hourSeconds } from '@tollgate/contract'

import { ByteWriter } from '../../../platform/store/bytes'
import type { Queries, Transaction } from '../../../platform/store/database'
import type { LogEntry } from '../ledger'
import { rowStatement } from './row-statement'

/** What one answered call adds to the measures. */
export interface MeasuredCall {
  /** Null for one whose duration says nothing. */
  readonly wholeMs: number | null
  /** Null for an answer that was not streamed. */
  readonly firstTokenMs: number | null
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheSaved: number
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

/** What a record of a batch begins with. Releases that do not know `untimedCall` read a plain call of 0 ms. */
export const kinds = { call: 0, plainCall: 1, error: 2, untimedCall: 3 } as const

/** Calls and failed attempts as they are charged and recorded, for one row of `measure_batches`. */
export class BatchWriter {
  readonly #writer = new ByteWriter()
  /** The first second of the latest hour. */
  hour = 0
  isEmpty = true

  call(origin: Origin, call: MeasuredCall): void {
    const { wholeMs, firstTokenMs } = call
    const isStreamed = wholeMs !== null && firstTokenMs !== null
    this.#begin(origin, wholeMs === null ? kinds.untimedCall : isStreamed ? kinds.call : kinds.plainCall)
    const writer = this.#writer
    writer.number(wholeMs ?? 0)
    if (isStreamed) writer.number(firstTokenMs)
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
    const hours = Math.floor(createdAt / hourSeconds)
    this.isEmpty = false
    this.hour = Math.max(this.hour, hours * hourSeconds)
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

/** Writes the measures of charged calls and the codes of failed attempts as one row. */
export type RecordMeasures = (transaction: Transaction, entries: readonly LogEntry[]) => Promise<void>

const aBatch: { readonly hour: number; readonly records: Uint8Array } = { hour: 0, records: new Uint8Array() }

export function createRecordMeasures(query: Queries): RecordMeasures {
  const insert = rowStatement(query, aBatch, (rows, query) =>
    query.insertInto('measure_batches').values(rows).compile(),
  )
  return async (transaction, entries) => {
    const batch = new BatchWriter()
    for (const entry of entries) {
      const { measures, errorCode, promptTokens, completionTokens } = entry
      if (measures) {
        const { wholeMs, firstTokenMs, cachedTokens, cacheSaved } = measures
        batch.call(entry, { wholeMs, firstTokenMs, promptTokens, completionTokens, cachedTokens, cacheSaved })
      } else if (errorCode !== undefined) batch.error(entry, errorCode)
    }
    if (!batch.isEmpty) await insert.run(transaction, [{ hour: batch.hour, records: batch.bytes() }])
  }
}
