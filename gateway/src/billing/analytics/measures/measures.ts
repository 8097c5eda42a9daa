import type { MeasuredCall } from '../../ledger/charge/measure-batch'
import type { ByteReader, ByteWriter } from '../../../platform/store/bytes'
import { bucketAt, Histogram } from './histogram'

const sumNames = ['calls', 'promptTokens', 'completionTokens', 'cachedTokens', 'cacheSaved', 'outputMs'] as const

/** How fast calls were, what caches saved, and why attempts failed. Measures of parts add up to those of the whole. */
export class Measures {
  calls = 0
  promptTokens = 0
  /** Those of calls with a duration. */
  completionTokens = 0
  cachedTokens = 0
  /** Quota. */
  cacheSaved = 0
  /** Time in which the completion tokens arrived: from the first token on where responses were streamed. */
  outputMs = 0
  /** Milliseconds until the first token of streamed responses, and until the end of all. */
  readonly firstToken = new Histogram()
  readonly whole = new Histogram()
  /** Failed attempts by their code. */
  readonly errors = new Map<string, number>()

  addCall(call: MeasuredCall): void {
    this.calls += 1
    this.promptTokens += call.promptTokens
    this.cachedTokens += call.cachedTokens
    this.cacheSaved += call.cacheSaved
    if (call.wholeMs === null) return
    this.completionTokens += call.completionTokens
    this.outputMs += Math.max(1, call.wholeMs - (call.firstTokenMs ?? 0))
    this.whole.add(bucketAt(call.wholeMs), 1)
    if (call.firstTokenMs !== null) this.firstToken.add(bucketAt(call.firstTokenMs), 1)
  }

  addErrors(code: string, count: number): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + count)
  }
}

export function writeMeasures(writer: ByteWriter, measures: Measures): void {
  for (const name of sumNames) writer.number(measures[name])
  writeHistogram(writer, measures.firstToken)
  writeHistogram(writer, measures.whole)
  writer.number(measures.errors.size)
  for (const [code, count] of measures.errors) {
    writer.text(code)
    writer.number(count)
  }
}

/** Adds what was written to each of the targets. */
export function readMeasures(reader: ByteReader, targets: readonly Measures[]): void {
  for (const name of sumNames) {
    const amount = reader.number()
    for (const target of targets) target[name] += amount
  }
  readHistogram(reader, targets, 'firstToken')
  readHistogram(reader, targets, 'whole')
  for (let left = reader.number(); left > 0; left -= 1) {
    const code = reader.text()
    const count = reader.number()
    for (const target of targets) target.addErrors(code, count)
  }
}

/** Writes buckets as deltas from the one before. */
function writeHistogram(writer: ByteWriter, histogram: Histogram): void {
  const entries = histogram.entries()
  writer.number(entries.length)
  let last = 0
  for (const [bucket, count] of entries) {
    writer.number(bucket - last)
    writer.number(count)
    last = bucket
  }
}

function readHistogram(reader: ByteReader, targets: readonly Measures[], name: 'firstToken' | 'whole'): void {
  let bucket = 0
  for (let left = reader.number(); left > 0; left -= 1) {
    bucket += reader.number()
    const count = reader.number()
    for (const target of targets) target[name].add(bucket, count)
  }
}
