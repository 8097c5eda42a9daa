import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createClock } from '../../platform/time/clock'
import { spanOf, Speeds, SpeedReport, type ResponseSpeed } from './speeds'

const periodMs = 5_000
const minute = 60_000

/** Workers that hear of each other after they have closed the period themselves. */
function someWorkers(count: number) {
  let now = 0
  const sent: (() => void)[] = []
  const workers: Speeds[] = Array.from({ length: count }, (_, own) => {
    const publish = (report: SpeedReport) => {
      const received = SpeedReport.parse(JSON.parse(JSON.stringify(report)))
      for (const [other, speeds] of workers.entries()) if (other !== own) sent.push(() => speeds.receive(received))
    }
    return new Speeds(
      createClock(() => now),
      publish,
    )
  })
  const advance = (ms: number) => {
    now += ms
    for (const { period } of workers) void period
    for (const deliver of sent.splice(0)) deliver()
  }
  return { workers, advance }
}

function oneWorker() {
  const { workers, advance } = someWorkers(1)
  const [speeds] = workers
  if (!speeds) throw new Error('No worker')
  return { speeds, advance }
}

const aResponse = (startMs: number, rate = 10): ResponseSpeed => ({ startMs, tokens: 100, tokenMs: 100 * rate })

describe('the speed of a channel', () => {
  test('figures change when a period ends, and are means of its answers', () => {
    const { speeds, advance } = oneWorker()
    speeds.record('1/m', aResponse(100, 10))
    speeds.record('1/m', aResponse(300, 30))
    expect(speeds.current('1/m')).toBeNull()
    advance(periodMs)
    expect(speeds.current('1/m')).toEqual({ responses: 2, startMs: 200, tokenMs: 20 })
    expect(speeds.current('2/m')).toBeNull()
  })

  test('the time of failed attempts counts as time to the first token', () => {
    const { speeds, advance } = oneWorker()
    speeds.record('1/m', aResponse(100))
    speeds.recordFailure('1/m', 900)
    advance(periodMs)
    expect(speeds.current('1/m')?.startMs).toBe(1000)
  })

  test('an answer in one piece says how long a token takes alone, and one without tokens how long it took', () => {
    const { speeds, advance } = oneWorker()
    speeds.record('1/m', { startMs: null, tokens: 50, tokenMs: 1000 })
    speeds.record('2/m', { startMs: 70, tokens: 0, tokenMs: 70 })
    advance(periodMs)
    expect(speeds.current('1/m')).toEqual({ responses: 1, startMs: null, tokenMs: 20 })
    expect(speeds.current('2/m')).toEqual({ responses: 1, startMs: 70, tokenMs: null })
  })

  test('earlier answers count half as much after three minutes, and fade no further than to twenty', () => {
    const { speeds, advance } = oneWorker()
    const recordMany = (count: number, startMs: number) => {
      for (let at = 0; at < count; at += 1) speeds.record('1/m', aResponse(startMs))
      advance(periodMs)
    }
    recordMany(40, 100)
    advance(3 * minute - periodMs)
    recordMany(10, 400)
    expect(speeds.current('1/m')).toMatchObject({ responses: 30, startMs: 200 })
    advance(60 * minute)
    recordMany(1, 2300)
    expect(speeds.current('1/m')).toMatchObject({ responses: 21, startMs: 300 })
  })

  test('what conversations go by is the first speed, then that at the end of the last span', () => {
    const { speeds, advance } = oneWorker()
    const findSettled = (name: string) => speeds.findSettled(name, spanOf(speeds.period))?.startMs
    expect(findSettled('1/m')).toBeUndefined()
    speeds.record('1/m', aResponse(100))
    advance(periodMs)
    speeds.record('1/m', aResponse(300))
    advance(periodMs)
    expect([speeds.current('1/m')?.startMs, findSettled('1/m')]).toEqual([200, 100])
    advance(10 * minute)
    expect(findSettled('1/m')).toBe(200)
    speeds.record('1/m', aResponse(1200))
    advance(periodMs)
    expect(speeds.current('1/m')?.startMs).toBeGreaterThan(200)
    expect(findSettled('1/m')).toBe(200)
    advance(10 * minute)
    expect(findSettled('1/m')).toBe(speeds.current('1/m')?.startMs)
  })

  test('all workers of a node have the same figures, whatever each of them measured', () => {
    const event = fc.record({
      worker: fc.integer({ min: 0, max: 2 }),
      channel: fc.integer({ min: 1, max: 3 }),
      startMs: fc.integer({ min: 0, max: 5000 }),
      tokens: fc.integer({ min: 0, max: 500 }),
      afterMs: fc.constantFrom(0, 0, 1_000, 20_000),
      times: fc.constantFrom(1, 300),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { workers, advance } = someWorkers(3)
        for (const { worker, channel, startMs, tokens, afterMs, times } of events) {
          for (let time = 0; time < times; time += 1)
            workers[worker]?.record(`${channel}/m`, { startMs, tokens, tokenMs: tokens * 7 })
          advance(afterMs)
        }
        advance(periodMs)
        const figures = workers.map((speeds) =>
          [1, 2, 3].map((channel) => {
            const speed = speeds.current(`${channel}/m`)
            return speed && { startMs: speed.startMs?.toFixed(6), tokenMs: speed.tokenMs?.toFixed(6) }
          }),
        )
        expect(figures[1]).toEqual(figures[0] ?? [])
        expect(figures[2]).toEqual(figures[0] ?? [])
      }),
      { seed: 3, numRuns: 50 },
    )
  })

  test('the memory is bounded', () => {
    const { speeds, advance } = oneWorker()
    for (let id = 0; id < 10_001; id += 1) speeds.record(`${id}/m`, aResponse(1))
    advance(periodMs)
    expect([speeds.current('0/m'), speeds.current('10000/m') !== null]).toEqual([null, true])
  })
})
