import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { ByteReader, ByteWriter } from '../../../platform/store/bytes'
import { bucketAt, bucketCount, Histogram, maxMs } from './histogram'
import type { MeasuredCall } from '../../ledger/charge/measure-batch'
import { Measures, readMeasures, writeMeasures } from './measures'

const histogramOf = (times: readonly number[]) => {
  const histogram = new Histogram()
  for (const time of times) histogram.add(bucketAt(time), 1)
  return histogram
}

describe('the histogram of times', () => {
  test('the histogram has a bucket for every time, and longer times never have a lower one', () => {
    let last = 0
    for (let ms = 0; ms <= 100_000; ms += 1) {
      const bucket = bucketAt(ms)
      expect(bucket === last || bucket === last + 1 || ms === 0).toBe(true)
      last = bucket
    }
    expect(bucketAt(maxMs)).toBe(bucketCount - 1)
    for (const beyond of [maxMs + 1, 1e12, Infinity]) expect(bucketAt(beyond)).toBe(bucketAt(maxMs))
    for (const tooSmall of [-5, 0, 0.9, Number.NaN]) expect(bucketAt(tooSmall)).toBe(0)
  })

  test('percentiles are at most a sixteenth off', () => {
    const times = fc.array(fc.integer({ min: 0, max: maxMs }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(times, fc.constantFrom(0.01, 0.5, 0.95, 1), (all, share) => {
        const exact = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1] ?? 0
        const estimate = histogramOf(all).percentile(share) ?? -1
        expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact / 16)
      }),
    )
  })

  test('an empty histogram has no percentile', () => {
    expect(new Histogram().percentile(0.5)).toBeNull()
  })
})

describe('measures', () => {
  const amount = fc.integer({ min: 0, max: 2 ** 40 })
  const call: fc.Arbitrary<MeasuredCall> = fc.record({
    wholeMs: fc.integer({ min: 0, max: 10_000_000 }),
    firstTokenMs: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
    promptTokens: amount,
    completionTokens: amount,
    cachedTokens: amount,
    cacheSaved: amount,
  })
  const codes = fc.array(fc.constantFrom('upstream.failed', 'upstream.busy', 'Überlast'))
  const parts = fc.array(fc.record({ calls: fc.array(call, { maxLength: 20 }), codes }), { maxLength: 8 })

  const measuresOf = (all: readonly { calls: readonly MeasuredCall[]; codes: readonly string[] }[]) => {
    const measures = new Measures()
    for (const part of all) {
      for (const one of part.calls) measures.addCall(one)
      for (const code of part.codes) measures.addErrors(code, 1)
    }
    return measures
  }
  const contentsOf = ({ firstToken, whole, errors, ...sums }: Measures) => ({
    ...sums,
    firstToken: firstToken.entries(),
    whole: whole.entries(),
    errors: Object.fromEntries(errors),
  })

  test('measures of parts, written and read again, add up to those of the whole', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const writer = new ByteWriter()
        for (const part of all) writeMeasures(writer, measuresOf([part]))
        const reader = new ByteReader(writer.bytes())
        const [sum, same] = [new Measures(), new Measures()]
        while (!reader.isAtEnd) readMeasures(reader, [sum, same])
        expect(contentsOf(sum)).toEqual(contentsOf(measuresOf(all)))
        expect(contentsOf(same)).toEqual(contentsOf(sum))
      }),
    )
  })

  test('output time counts from the first token on where it was streamed, otherwise the whole time', () => {
    const figures = { promptTokens: 1, completionTokens: 100, cachedTokens: 0, cacheSaved: 0 }
    const measures = new Measures()
    measures.addCall({ ...figures, wholeMs: 3000, firstTokenMs: 1000 })
    measures.addCall({ ...figures, wholeMs: 500, firstTokenMs: null })
    expect(measures.outputMs).toBe(2500)
  })
})
