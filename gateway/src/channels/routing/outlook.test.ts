import { afterAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { FakeTime } from '../../../test/fake-time'
import { aCatalog, aChannel, attemptAt, brokenFor, failure, key, question } from '../../../test/routes'
import type { Channel } from '../catalog/catalog'
import { Health } from '../health/health'
import { keyName } from '../catalog/channel-keys'
import { outlooksOf } from './outlook'
import { plan } from './plan'
import { priorityLevelsOf } from './priority-levels'

describe('the outlook of a route', () => {
  const damages = ['none', 'suspect', 'open', 'resting', 'full', 'line-full', 'keys-off', 'disabled'] as const
  const shapes = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 30 }),
      priority: fc.integer({ min: 0, max: 2 }),
      weight: fc.integer({ min: 0, max: 60 }),
      damage: fc.constantFrom(...damages),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
  )
  const clients = new AbortController()
  afterAll(() => clients.abort())

  function damageChannel(shape: { id: number; priority: number; weight: number; damage: (typeof damages)[number] }) {
    const { damage, ...fields } = shape
    return aChannel(shape.id, {
      ...fields,
      isEnabled: damage !== 'disabled',
      keys: [key(`k${shape.id}`, damage !== 'keys-off')],
      setting: damage === 'full' || damage === 'line-full' ? { max_concurrency: 1, max_waiting: 1 } : {},
    })
  }

  function afflict(health: Health, channel: Channel, damage: (typeof damages)[number]) {
    const enter = () =>
      void Promise.resolve(health.slots.enter(channel, { signal: clients.signal, deadline: 1e9 })).catch(() => {})
    if (damage === 'suspect') attemptAt(health, channel.id).recordFailure(failure)
    if (damage === 'open') brokenFor(health, channel.id)
    if (damage === 'resting') health.cooldowns.start(keyName(channel, key(`k${channel.id}`)), 10)
    if (damage === 'full' || damage === 'line-full') enter()
    if (damage === 'line-full') enter()
  }

  test('the outlook gives every channel the share with which plan draws it, whatever is wrong with the others', () => {
    fc.assert(
      fc.property(shapes, (found) => {
        const health = new Health(new FakeTime())
        const channels = found.map(damageChannel)
        for (const [index, channel] of channels.entries()) afflict(health, channel, found[index]?.damage ?? 'none')
        const catalog = aCatalog(channels)
        const routeQuery = question({ health })
        const draws = 400
        const served = new Map<number, number>()
        for (let draw = 0; draw < draws; draw += 1) {
          const id = plan(catalog, routeQuery)?.channel.id
          if (id !== undefined) served.set(id, (served.get(id) ?? 0) + 1)
        }
        for (const { candidate, share } of outlooksOf(priorityLevelsOf(catalog, 'default', 'm'), health).flat()) {
          const part = (served.get(candidate.channel.id) ?? 0) / draws
          expect(part > 0).toBe(share > 0)
          expect(Math.abs(part - share)).toBeLessThan(0.1)
        }
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  test('the outlook leaves out channels that the call rules out', () => {
    const catalog = aCatalog([aChannel(1), aChannel(2)])
    const levels = priorityLevelsOf(catalog, 'default', 'm')
    const shares = outlooksOf(levels, new Health(new FakeTime()), ({ channel }) => channel.id !== 1)
    expect(shares.flat().map(({ share }) => share)).toEqual([0, 1])
  })
})
