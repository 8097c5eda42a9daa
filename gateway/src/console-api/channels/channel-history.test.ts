import { describe, expect, test } from 'bun:test'

import { channelRoutes, logType, role, storedPhrase } from '@tollgate/contract'
import * as z from 'zod'

import { createChannelWorld } from '../../../test/channel-world'
import { eventually } from '../../../test/eventually'
import { kinds } from '../../../test/kinds'
import { recordQueries } from '../../../test/plans'
import { aLogRow } from '../../../test/rows'
import { sqlLogs } from '../../billing/usage-log/log-store'
import { channelHistory } from './channel-history'
import { disableChannel, enableChannel } from '../../channels/channel-status'

const Events = z.array(channelRoutes.ChannelEvent)

describe.each(kinds)('the history of a channel (%s)', (kind) => {
  test('the history has the actions of the gateway and of users, newest first, without other channels', async () => {
    await using world = await createChannelWorld(kind)
    const channel = await world.aChannel({ key: 'a-canary-secret,b-canary-secret' })
    const other = await world.aChannel()
    await disableChannel(world.ctx, channel.id, { reason: 'no such key', keyFingerprint: channel.keys[0]?.fingerprint })
    await disableChannel(world.ctx, channel.id, { reason: 'it broke' })
    await enableChannel(world.ctx, channel.id)
    await disableChannel(world.ctx, other.id, { reason: 'another one' })
    await world.ask('PUT', '/api/channel/', { id: channel.id, weight: 3 })
    await world.ask('PUT', '/api/channel/', { id: channel.id, status: 2 })
    const read = async () => Events.parse((await world.ask('GET', `/api/channel/${channel.id}/history`)).data)
    // Rows without money are written apart from the charges, in their own time.
    const events = await eventually(async () => {
      const found = await read()
      return found.length < 4 ? null : found
    })
    const byHand = events.filter(({ is_by_hand }) => is_by_hand)
    expect(byHand).toMatchObject([{ kind: 'disabled', username: 'admin' }])
    const own = events.filter(({ is_by_hand }) => !is_by_hand)
    expect(Object.fromEntries(own.map(({ kind: what, text }) => [what, text]))).toEqual({
      disabled: 'Channel disabled automatically: it broke',
      enabled: 'Channel enabled again after a test',
      key_disabled: `Key ${channel.keys[0]?.fingerprint} disabled automatically: no such key`,
    })
    const times = events.map(({ at }) => at)
    expect(times).toEqual([...times].sort((one, next) => next - one))
  })

  test('the history has changes of status from before many tests of the channel, and finds them by an index', async () => {
    await using world = await createChannelWorld(kind)
    const { id } = await world.aChannel()
    const now = world.ctx.clock.seconds()
    const row = { type: logType.system, channel_id: id, user_id: 0 }
    const test = { ...row, created_at: now, model_name: 'gpt-4o', content: storedPhrase('log.test_passed') }
    const { database } = world.ctx
    await database.query
      .insertInto('logs')
      .values([
        aLogRow({ ...row, created_at: now - 60, model_name: '', content: storedPhrase('log.channel_enabled') }),
        ...Array.from({ length: channelRoutes.maxEvents }, () => aLogRow(test)),
      ])
      .execute()
    const { query, plans } = recordQueries(database)
    const recorded = { ...database, query }
    const ctx = { ...world.ctx, database: recorded, logs: sqlLogs(recorded) }
    const events = await channelHistory({ ctx, caller: { userId: 1, rank: role.root }, language: 'en' }, id)
    expect(events).toMatchObject([{ at: now - 60, kind: 'enabled' }])
    expect((await plans()).flat().join('\n')).toMatch(/logs_model/)
  })
})
