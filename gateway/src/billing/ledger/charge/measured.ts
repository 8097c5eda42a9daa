import type { Queries, Transaction } from '../../../platform/store/database'
import { BatchWriter } from './measure-batch'
import type { LogEntry } from '../ledger'
import { rowStatement } from './row-statement'

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
      if (measures) batch.call(entry, { ...measures, promptTokens, completionTokens })
      else if (errorCode !== undefined) batch.error(entry, errorCode)
    }
    if (!batch.isEmpty) await insert.run(transaction, [{ hour: batch.hour, records: batch.bytes() }])
  }
}
