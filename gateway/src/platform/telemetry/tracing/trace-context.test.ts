import { describe, expect, test } from 'bun:test'

import { createSampler, newSpanId, newTraceId, traceContextIn, traceparent } from './create-tracing'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('traceparent', () => {
  test.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [` 00-${traceId}-${spanId}-03 `, true],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  ])('%s is accepted', (header, isSampled) => {
    expect(traceContextIn(header)).toEqual({ traceId, spanId, isSampled })
  })

  test.each([
    [null],
    [''],
    ['nonsense'],
    [`ff-${traceId}-${spanId}-01`],
    [`00-${traceId}-${spanId}-01-more`],
    [`00-${traceId.toUpperCase()}-${spanId}-01`],
    [`00-${'0'.repeat(32)}-${spanId}-01`],
    [`00-${traceId}-${'0'.repeat(16)}-01`],
    [`00-${traceId}-${spanId}`],
  ])('%p is rejected', (header) => {
    expect(traceContextIn(header)).toBeNull()
  })

  test('what is written is read back', () => {
    const random = { number: () => 0, bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) }
    const [trace, span] = [newTraceId(random), newSpanId(random)]
    expect(traceContextIn(traceparent(trace, span))).toEqual({ traceId: trace, spanId: span, isSampled: true })
  })
})

describe('the sampler', () => {
  const parent = (isSampled: boolean) => ({ traceId, spanId, isSampled })
  const low = `${'f'.repeat(16)}${'0'.repeat(15)}1`
  const high = `${'0'.repeat(16)}${'f'.repeat(16)}`

  test.each([
    ['always_on', 1, [true, true, true, true]],
    ['always_off', 1, [false, false, false, false]],
    ['traceidratio', 0.5, [true, false, true, true]],
    ['traceidratio', 0, [false, false, false, false]],
    ['traceidratio', 1, [true, true, true, true]],
    ['parentbased_always_on', 1, [true, true, true, false]],
    ['parentbased_always_off', 1, [false, false, true, false]],
    ['parentbased_traceidratio', 0.5, [true, false, true, false]],
  ] as const)('%s %d', (sampler, share, expected) => {
    const isSampled = createSampler({ sampler, share })
    expect([
      isSampled(low, null),
      isSampled(high, null),
      isSampled(low, parent(true)),
      isSampled(low, parent(false)),
    ]).toEqual([...expected])
  })
})
