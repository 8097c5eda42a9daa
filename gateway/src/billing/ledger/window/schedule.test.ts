import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { endless, periodAt, type Schedule } from './schedule'

const aSchedule = (fields: Partial<Schedule>): Schedule => ({
  span: 'day',
  seconds: 0,
  startsAt: 0,
  endsAt: 0,
  isSliding: false,
  timeZone: 'UTC',
  ...fields,
})

const at = (text: string) => Date.parse(text) / 1000
const showPeriod = (fields: Partial<Schedule>, now: string) => {
  const period = periodAt(aSchedule(fields), at(now))
  return (
    period && [period.startsAt, period.endsAt].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 19))
  )
}

describe('the period of a window', () => {
  test.each([
    ['a minute', { span: 'minute' }, '2026-03-01T10:20:59Z', '2026-03-01T10:20:00', '2026-03-01T10:21:00'],
    ['five hours', { span: 'five_hours' }, '2026-03-01T10:20:00Z', '2026-03-01T08:00:00', '2026-03-01T13:00:00'],
    ['a day', {}, '2026-03-01T23:59:59Z', '2026-03-01T00:00:00', '2026-03-02T00:00:00'],
    [
      'a day in Shanghai',
      { timeZone: 'Asia/Shanghai' },
      '2026-03-01T16:00:00Z',
      '2026-03-01T16:00:00',
      '2026-03-02T16:00:00',
    ],
    [
      'a day of 23 hours',
      { timeZone: 'Europe/Berlin' },
      '2026-03-29T12:00:00Z',
      '2026-03-28T23:00:00',
      '2026-03-29T22:00:00',
    ],
    [
      'a day of 25 hours',
      { timeZone: 'Europe/Berlin' },
      '2026-10-25T12:00:00Z',
      '2026-10-24T22:00:00',
      '2026-10-25T23:00:00',
    ],
    ['a week', { span: 'week' }, '2026-11-29T12:00:00Z', '2026-11-23T00:00:00', '2026-11-30T00:00:00'],
    ['a week on its Monday', { span: 'week' }, '2026-11-30T00:00:00Z', '2026-11-30T00:00:00', '2026-12-07T00:00:00'],
    ['a month', { span: 'month' }, '2026-12-31T23:59:59Z', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
    [
      'seconds',
      { span: 'seconds', seconds: 600 },
      '2026-03-01T10:29:00Z',
      '2026-03-01T10:20:00',
      '2026-03-01T10:30:00',
    ],
    ['a sliding day', { isSliding: true }, '2026-03-01T10:20:05Z', '2026-03-01T10:20:05', '2026-03-02T10:20:05'],
    [
      'a sliding month',
      { span: 'month', isSliding: true },
      '2026-01-31T10:00:00Z',
      '2026-01-31T10:00:00',
      '2026-02-28T10:00:00',
    ],
  ] as const)('%s', (_, fields, now, start, end) => {
    expect(showPeriod(fields, now)).toEqual([start, end])
  })

  test('a range is in force from its beginning to before its end, and nothing else is', () => {
    const range = { span: 'range', startsAt: 100, endsAt: 200 } as const
    expect([99, 100, 199, 200].map((now) => periodAt(aSchedule(range), now) !== null)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(periodAt(aSchedule({ span: 'always' }), 5)).toEqual({ startsAt: 0, endsAt: endless })
  })

  const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia']
  test('periods of a calendar follow one another without a gap, in any zone and over any change of clocks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day', 'week', 'month', 'minute', 'five_hours'),
        fc.constantFrom(...zones),
        fc.integer({ min: at('2005-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        (span, timeZone, now) => {
          const schedule = aSchedule({ span, timeZone })
          const period = periodAt(schedule, now)
          if (!period) throw new Error('A calendar is always in force')
          expect(period.startsAt <= now && now < period.endsAt).toBe(true)
          expect(periodAt(schedule, period.startsAt)).toEqual(period)
          expect(periodAt(schedule, period.endsAt - 1)).toEqual(period)
          expect(periodAt(schedule, period.endsAt)?.startsAt).toBe(period.endsAt)
        },
      ),
      { numRuns: 300 },
    )
  })
})
