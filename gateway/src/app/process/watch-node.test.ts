import { beforeEach, afterEach, describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { NodeWatch } from './watch-node'

const gigabyte = 1024 ** 3

describe.each(kinds)('the watch of a node (%s)', (kind) => {
  const once = onceOf(kind)

  const time = new FakeTime(1_800_000_000_123)
  let world: World
  let free: number
  let isResponding: boolean
  let isReady: boolean
  let watch: NodeWatch

  beforeEach(async () => {
    world = await createWorld({ kind, clock: time })
    free = 50 * gigabyte
    isResponding = true
    isReady = true
    const databaseWatch = {
      get isResponding() {
        return isResponding
      },
    }
    const readiness = {
      isDraining: false,
      get isReady() {
        return isReady
      },
    }
    watch = new NodeWatch({ ...world.ctx, databaseWatch }, { nodeId: 'node-a', readiness, freeBytes: () => free })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const events = async () => {
    await watch.poll()
    const rows = await world.ctx.database.query
      .selectFrom('operator_events')
      .select(['kind', 'subject', 'facts', 'count', 'last_at'])
      .orderBy('kind')
      .execute()
    return rows.map(({ kind: event, subject, facts, last_at: at }) => {
      const { amount = '', reason = '' } = JSON.parse(facts) as Record<string, string>
      return [event, subject, amount + reason, at]
    })
  }
  const at = () => time.seconds()

  once('a disk that is nearly full is reported when it becomes so, and again only after it was freed', async () => {
    expect(await events()).toEqual([])
    free = 600 * 1024 ** 2
    const first = [['disk-low', 'node-a', '600 MB', at()]]
    expect(await events()).toEqual(first)
    time.advance(60_000)
    free = 1.1 * gigabyte
    expect(await events()).toEqual(first)
    free = 2 * gigabyte
    expect(await events()).toEqual(first)
    free = 0
    expect(await events()).toEqual([['disk-low', 'node-a', '0 B', at()]])
  })

  once('an outage of the database is reported when it is over, unless it was short', async () => {
    isResponding = false
    await events()
    time.advance(14_000)
    isResponding = true
    expect(await events()).toEqual([])
    isResponding = false
    await events()
    time.advance(30_000)
    isResponding = true
    expect(await events()).toEqual([
      ['node-not-ready', 'node-a', '{"code":"node.database","params":{"seconds":30}}', at()],
    ])
  })

  test('a node that cannot open its secrets is reported', async () => {
    isReady = false
    expect(await events()).toEqual([['node-not-ready', 'node-a', '{"code":"node.secrets"}', at()]])
  })
})
