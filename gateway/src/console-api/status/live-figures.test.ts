import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { statusRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { BatchWriter } from '../../billing/ledger/charge/measure-batch'
import { statusHandlers } from './status'

setDefaultTimeout(120_000)

const hour = 3600

describe.each(kinds)('figures of the home page (%s)', (kind) => {
  let world: World
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-02-10T12:00:00Z'))
    world = await createWorld({ kind, clock })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const figures = () => createTestConsole(world.ctx, statusHandlers).client().call(statusRoutes.getFigures)

  async function aCall(hoursAgo: number, firstTokenMs: number | null) {
    const batch = new BatchWriter()
    const createdAt = clock.seconds() - hoursAgo * hour
    const origin = { createdAt, userId: 1, tokenName: 'main', modelName: 'gpt-4o', channelId: 1, group: 'default' }
    const tokens = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, cacheSaved: 0 }
    batch.call(origin, { ...tokens, wholeMs: 900, firstTokenMs })
    await world.ctx.database.query
      .insertInto('measure_batches')
      .values({ hour: batch.hour, records: batch.bytes() })
      .execute()
  }

  test('a guest sees the median time to the first token of the last 24 hours', async () => {
    expect(await figures()).toEqual({ first_token_p50_ms: null })
    await aCall(1, 400)
    await aCall(2, null)
    await aCall(30, 60_000)
    clock.jump(61_000)
    expect((await figures()).first_token_p50_ms).toBeWithin(375, 426)
  })

  test('the figures are read once a minute', async () => {
    await figures()
    await aCall(1, 400)
    clock.jump(59_000)
    expect((await figures()).first_token_p50_ms).toBeNull()
    clock.jump(2000)
    expect((await figures()).first_token_p50_ms).not.toBeNull()
  })
})
