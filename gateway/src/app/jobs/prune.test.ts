import { expect, test } from 'bun:test'

import { createClock } from '../../platform/time/clock'
import { onBothDatabases } from '../../../test/databases'
import { noRests } from '../../../test/pace'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import {
  pruneChanges,
  pruneCharges,
  pruneFlows,
  pruneKeyedActs,
  pruneMails,
  pruneSessions,
  pruneSignIns,
} from './prune'
import type { Pace } from '../../platform/store/pace'
import { systemTimers } from '../../platform/time/timers'

onBothDatabases('pruning', (world) => {
  const now = 1_700_000_000
  const clock = createClock(
    () => now * 1000,
    () => 0,
  )
  const deps = () => ({ database: world().database, clock, metrics: new Metrics(), timers: systemTimers })
  const { signal } = new AbortController()

  test('changes older than an hour are removed', async () => {
    const { query } = world().database
    const values = [3601, 3599].map((age, seq) => ({ seq, topic: 'user', ref_id: 1, created_at: now - age }))
    await query.insertInto('changes').values(values).execute()
    await pruneChanges(deps()).run(signal)
    expect(await query.selectFrom('changes').select('seq').execute()).toEqual([{ seq: 1 }])
  })

  test('expired sessions are removed', async () => {
    const { query } = world().database
    const session = { user_id: 1, created_at: 1, last_seen_at: 1, ip: '', user_agent: '' }
    const values = [
      { ...session, id_hash: 'over', expires_at: now },
      { ...session, id_hash: 'open', expires_at: now + 1 },
    ]
    await query.insertInto('sessions').values(values).execute()
    await pruneSessions(deps()).run(signal)
    expect(await query.selectFrom('sessions').select('id_hash').execute()).toEqual([{ id_hash: 'open' }])
  })

  test('expired rows are removed a part at a time, until a part is not full', async () => {
    const { query } = world().database
    await query
      .insertInto('keyed_acts')
      .values(
        Array.from({ length: 7 }, (_, at) => ({ id_hash: `${at}`, input_hash: '', request_id: '', created_at: 1 })),
      )
      .execute()
    const left: number[] = []
    const pace: Pace = {
      rows: 3,
      async part(work) {
        const removed = await work()
        left.push((await query.selectFrom('keyed_acts').select('id_hash').execute()).length)
        return removed
      },
    }
    await pruneKeyedActs(deps(), () => pace).run(signal)
    expect(left).toEqual([4, 1, 0])
  })

  test('expired counts and devices unused for half a year are removed', async () => {
    const { query } = world().database
    const counts = [now, now + 1].map((ends_at) => ({ key: `until ${ends_at}`, count: 1, ends_at }))
    await query.insertInto('limit_counts').values(counts).execute()
    const device = { user_id: 1, created_at: 1 }
    const devices = [180 * 86_400 + 1, 180 * 86_400].map((age) => ({
      ...device,
      id_hash: `${age}`,
      last_seen_at: now - age,
    }))
    await query.insertInto('known_devices').values(devices).execute()
    await pruneSignIns(deps()).run(signal)
    expect(await query.selectFrom('limit_counts').select('ends_at').execute()).toEqual([{ ends_at: now + 1 }])
    expect(await query.selectFrom('known_devices').select('id_hash').execute()).toEqual([
      { id_hash: `${180 * 86_400}` },
    ])
  })

  test('expired one-time flows are removed, used or not', async () => {
    const { query } = world().database
    const flow = { purpose: 'p', subject: '', browser_hash: '', payload: '{}', created_at: 1 }
    const values = [
      { ...flow, secret_hash: 'over', expires_at: now, used_at: null },
      { ...flow, secret_hash: 'used and over', expires_at: now, used_at: 1 },
      { ...flow, secret_hash: 'used', expires_at: now + 1, used_at: 1 },
      { ...flow, secret_hash: 'open', expires_at: now + 1, used_at: null },
    ]
    await query.insertInto('flows').values(values).execute()
    await pruneFlows(deps()).run(signal)
    const remaining = await query.selectFrom('flows').select('secret_hash').orderBy('secret_hash').execute()
    expect(remaining).toEqual([{ secret_hash: 'open' }, { secret_hash: 'used' }])
  })

  test('mails that ended a week ago are removed', async () => {
    const { query } = world().database
    const mail = { kind: 'test', recipient: '', language: 'en', params: '{}', expires_at: 1, sent_at: null }
    const week = 7 * 86_400
    const values = [
      { ...mail, id: 'old', created_at: now - week - 1, due_at: null },
      { ...mail, id: 'old and waiting', created_at: now - week - 1, due_at: 1 },
      { ...mail, id: 'young', created_at: now - week, due_at: null },
    ]
    await query.insertInto('mails').values(values).execute()
    await pruneMails(deps()).run(signal)
    expect(await query.selectFrom('mails').select('id').orderBy('id').execute()).toEqual([
      { id: 'old and waiting' },
      { id: 'young' },
    ])
  })

  test('charges older than thirty days are removed, also very many', async () => {
    const { query } = world().database
    const charge = { user_id: 1, token_id: 0, channel_id: 1, quota: 1 }
    const old = Array.from({ length: 4500 }, (_, index) => ({
      ...charge,
      request_id: `old${index}`,
      created_at: now - 30 * 86_400 - 1 - (index % 7),
    }))
    for (let start = 0; start < old.length; start += 500) {
      await query
        .insertInto('charges')
        .values(old.slice(start, start + 500))
        .execute()
    }
    await query
      .insertInto('charges')
      .values({ ...charge, request_id: 'new', created_at: now - 30 * 86_400 })
      .execute()
    await pruneCharges(deps(), () => noRests()).run(signal)
    expect(await query.selectFrom('charges').select('request_id').execute()).toEqual([{ request_id: 'new' }])
  })
})
