import { describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import type { ChannelSetting } from '../catalog/catalog'
import { Slots, NoSlotError, type Slot } from './slots'

const channelWith = (setting: ChannelSetting, id = 1) => ({ id, setting })
const wait = (signal = new AbortController().signal, deadline = 600_000) => ({ signal, deadline })

/** Resolves with the outcome of a wait: how often it ended, and how. */
async function endOf(entering: Promise<Slot>): Promise<string> {
  try {
    await entering
    return 'served'
  } catch (error) {
    return error instanceof NoSlotError ? `${error.why} ${error.retryAfterSeconds}` : 'failed'
  }
}

describe('slots', () => {
  test('a channel without a cap admits every call at once and is not in the sums of capped channels', async () => {
    const slots = new Slots(new FakeTime(0))
    for (const setting of [{}, { max_concurrency: 0 }]) {
      for (let call = 0; call < 1000; call += 1) await slots.enter(channelWith(setting), wait())
      expect([slots.isFree(channelWith(setting)), slots.inside]).toEqual([true, 0])
    }
  })

  test('calls at channels with and without a cap are counted until their slots are released', async () => {
    const slots = new Slots(new FakeTime(0))
    const [capped, free] = [channelWith({ max_concurrency: 1 }, 1), channelWith({}, 2)]
    const first = await slots.enter(capped, wait())
    const second = slots.enter(capped, wait())
    const third = await slots.enter(free, wait())
    expect([...slots.listOccupied()]).toEqual([
      [2, { inside: 1, waiting: 0 }],
      [1, { inside: 1, waiting: 1 }],
    ])
    third.release()
    third.release()
    first.release()
    expect([...slots.listOccupied()]).toEqual([[1, { inside: 1, waiting: 0 }]])
    ;(await second).release()
    expect(slots.listOccupied().size).toBe(0)
  })

  test('calls from before and after a cap was set are added up', async () => {
    const slots = new Slots(new FakeTime(0))
    const [before, after] = [channelWith({}), channelWith({ max_concurrency: 5 })]
    await slots.enter(before, wait())
    await slots.enter(after, wait())
    expect(slots.listOccupied().get(1)).toEqual({ inside: 2, waiting: 0 })
  })

  test('the next in the queue gets a slot when one is released, and a slot is released once', async () => {
    const slots = new Slots(new FakeTime(0))
    const channel = channelWith({ max_concurrency: 1 })
    const first = await slots.enter(channel, wait())
    const second = slots.enter(channel, wait())
    const third = slots.enter(channel, wait())
    expect([slots.inside, slots.waiting, slots.isFree(channel), slots.hasRoom(channel)]).toEqual([1, 2, false, true])
    first.release()
    first.release()
    const letIn = await second
    expect([slots.inside, slots.waiting]).toEqual([1, 1])
    letIn.release()
    ;(await third).release()
    expect([slots.inside, slots.waiting, slots.isFree(channel)]).toEqual([0, 0, true])
  })

  test('each channel has its own slots', async () => {
    const slots = new Slots(new FakeTime(0))
    await slots.enter(channelWith({ max_concurrency: 1 }, 1), wait())
    expect(slots.isFree(channelWith({ max_concurrency: 1 }, 2))).toBe(true)
  })

  test('a full queue refuses calls', async () => {
    const slots = new Slots(new FakeTime(0))
    const channel = channelWith({ max_concurrency: 1, max_waiting: 1, max_wait_seconds: 7 })
    await slots.enter(channel, wait())
    void slots.enter(channel, wait())
    expect(slots.hasRoom(channel)).toBe(false)
    expect(await endOf(slots.enter(channel, wait()))).toBe('full 7')
  })

  test('a wait of zero means no queue', async () => {
    const slots = new Slots(new FakeTime(0))
    const channel = channelWith({ max_concurrency: 1, max_wait_seconds: 0 })
    await slots.enter(channel, wait())
    expect(slots.hasRoom(channel)).toBe(false)
    expect(await endOf(slots.enter(channel, wait()))).toBe('full 1')
  })

  test('a wait ends at its own timeout, or at that of the whole call', async () => {
    const time = new FakeTime(0)
    const slots = new Slots(time)
    const channel = channelWith({ max_concurrency: 1, max_wait_seconds: 5 })
    await slots.enter(channel, wait())
    const [short, long] = [slots.enter(channel, wait(undefined, 2_000)), slots.enter(channel, wait())]
    time.advance(1_999)
    expect(slots.waiting).toBe(2)
    time.advance(1)
    expect([slots.waiting, await endOf(short)]).toEqual([1, 'late 5'])
    time.advance(3_000)
    expect([slots.waiting, await endOf(long)]).toEqual([0, 'late 5'])
  })

  test('a client that leaves makes room in the queue at once', async () => {
    const slots = new Slots(new FakeTime(0))
    const channel = channelWith({ max_concurrency: 1, max_waiting: 1 })
    const first = await slots.enter(channel, wait())
    const client = new AbortController()
    const left = slots.enter(channel, wait(client.signal))
    client.abort()
    expect([slots.waiting, slots.hasRoom(channel)]).toEqual([0, true])
    expect(await endOf(left)).toStartWith('gone')
    expect(await endOf(slots.enter(channel, wait(client.signal)))).toStartWith('gone')
    first.release()
    expect([slots.inside, slots.waiting]).toEqual([0, 0])
  })

  test('a raised cap lets in waiting calls', async () => {
    const slots = new Slots(new FakeTime(0))
    await slots.enter(channelWith({ max_concurrency: 1 }), wait())
    const second = slots.enter(channelWith({ max_concurrency: 1 }), wait())
    const third = slots.enter(channelWith({ max_concurrency: 3 }), wait())
    await Promise.all([second, third])
    expect([slots.inside, slots.waiting]).toEqual([3, 0])
  })
})
