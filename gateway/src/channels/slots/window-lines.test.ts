import { describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import type { FullWindow } from '../../billing/ledger/ledger'
import type { ChannelSetting } from '../catalog/catalog'
import { NoSlotError } from './slots'
import { WindowLines, type FrontPlace } from './window-lines'

const full: FullWindow = {
  kind: 'full',
  window: {
    id: 1,
    owner: 'channel',
    subjectId: 1,
    account: '1:1',
    name: 'At once',
    measure: 'concurrent',
    limit: 1,
    schedule: { span: 'always', seconds: 0, startsAt: 0, endsAt: 0, isSliding: false, timeZone: 'UTC' },
    fallbackModel: null,
  },
  freeAt: 1,
}
const aCrowdedChannel = (setting: ChannelSetting = {}, id = 1) => ({ channel: { id, setting }, full })
const wait = (signal = new AbortController().signal, deadline = 600_000) => ({ signal, deadline })

/** Resolves with how a wait ended. */
const endOf = async (entering: Promise<unknown>): Promise<unknown> => {
  try {
    return await entering
  } catch (error) {
    return error instanceof NoSlotError ? error.why : error
  }
}

describe('the queue for room in windows', () => {
  test('calls come to the front in the order in which they came, and one at a time looks', async () => {
    const lines = new WindowLines(new FakeTime(0))
    const came: number[] = []
    const places: FrontPlace[] = []
    const enter = async (call: number) => {
      const place = await lines.enter(aCrowdedChannel(), wait())
      came.push(call)
      places.push(place)
    }
    for (const call of [1, 2, 3]) void enter(call)
    await Promise.resolve()
    expect([came, lines.waiting, lines.windowBefore(1), lines.windowBefore(2)]).toEqual([[1], 3, full, null])
    places[0]?.leave()
    places[0]?.leave()
    await new Promise(setImmediate)
    expect([came, lines.waiting]).toEqual([[1, 2], 2])
    places[1]?.leave()
    await new Promise(setImmediate)
    places[2]?.leave()
    expect([came, lines.waiting, lines.windowBefore(1)]).toEqual([[1, 2, 3], 0, null])
  })

  test('the first looks when it comes, when a call leaves and each second, until its time is over', async () => {
    const time = new FakeTime(0)
    const lines = new WindowLines(time)
    const place = await lines.enter(aCrowdedChannel({ max_wait_seconds: 2 }), wait())
    expect(await place.untilNextPoll()).toBe(true)
    const woken = place.untilNextPoll()
    lines.wake(2)
    expect(time.pending).toBe(1)
    lines.wake(1)
    expect([await woken, time.pending]).toEqual([true, 0])
    lines.wake(1)
    expect([await place.untilNextPoll(), time.pending]).toEqual([true, 0])
    for (const second of [1, 2]) {
      const poll = place.untilNextPoll()
      time.advance(1000)
      expect([second, await poll]).toEqual([second, true])
    }
    expect(await place.untilNextPoll()).toBe(false)
    place.leave()
  })

  test.each<[string, ChannelSetting, string]>([
    ['a channel without a queue', { max_wait_seconds: 0 }, 'full'],
    ['a full queue', { max_waiting: 1 }, 'full'],
  ])('%s refuses calls', async (_, setting, why) => {
    const lines = new WindowLines(new FakeTime(0))
    const before = lines.enter(aCrowdedChannel(setting), wait())
    await endOf(before)
    expect(await endOf(lines.enter(aCrowdedChannel(setting), wait()))).toBe(why)
  })

  test('a call behind the first is refused when its time is over, and one whose client left makes room', async () => {
    const time = new FakeTime(0)
    const lines = new WindowLines(time)
    const client = new AbortController()
    const first = await lines.enter(aCrowdedChannel(), wait(client.signal))
    const late = endOf(lines.enter(aCrowdedChannel(), wait(undefined, 500)))
    time.advance(500)
    expect([await late, lines.waiting]).toEqual(['late', 1])
    expect(await first.untilNextPoll()).toBe(true)
    const poll = endOf(first.untilNextPoll())
    client.abort()
    expect(await poll).toBe('gone')
    first.leave()
    expect(await endOf(lines.enter(aCrowdedChannel(), wait(client.signal)))).toBe('gone')
    expect([lines.waiting, time.pending]).toEqual([0, 0])
  })
})
