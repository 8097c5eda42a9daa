import { expect, test } from 'bun:test'

import { pino } from 'pino'

import { onBothDatabases } from '../../../../test/databases'
import { noRests } from '../../../../test/pace'
import { eventually } from '../../../../test/eventually'
import { faultyDatabase, type Fault } from '../../../../test/faulty-database'
import { FakeTime } from '../../../../test/fake-time'
import { createSeal } from '../../store/seal'
import { systemTimers } from '../../time/timers'
import { LogTexts, type LogTextsOptions } from './log-texts'
import { removeInParts } from '../../../operations/retention/remove-in-parts'
import { removeTexts } from '../../../operations/retention/remove-logs'
import { findTexts } from './stored-texts'
import type { CallTexts } from './stored-texts'

const log = pino({ level: 'silent' })
const seal = createSeal(new Uint8Array(32))
const someText = (requestId: string, fields: Partial<CallTexts> = {}): CallTexts => ({
  requestId,
  createdAt: 1_800_000_000,
  context: '',
  input: 'question',
  output: 'answer',
  ...fields,
})

onBothDatabases('texts of calls', (world, once) => {
  const findOutput = async (id: string) => (await findTexts(world().database.query, id, seal))?.output_content

  /** A queue in front of a database that can be unavailable; every pause ends when the test allows it. */
  function aQueue(options: Partial<LogTextsOptions> = {}) {
    let fault: Fault = 'none'
    const clock = new FakeTime()
    const dropped = { full: 0, late: 0, closed: 0 }
    let pauses: (() => void)[] = []
    /** Reading takes the database some time. */
    const soon = (isSo: () => boolean) => eventually(async () => (await findOutput('nobody'), isSo() || null))
    const queue = new LogTexts({
      seal,
      database: faultyDatabase(world().database, () => fault),
      clock,
      log,
      onDropped: (reason, count) => (dropped[reason] += count),
      timers: { ...systemTimers, after: (_, work) => (pauses.push(work), () => {}) },
      ...options,
    })
    return {
      queue,
      clock,
      dropped,
      set: (next: Fault) => (fault = next),
      /** It was tried, in vain. */
      tried: () => soon(() => pauses.length > 0),
      again: () => {
        const waiting = pauses
        pauses = []
        for (const resume of waiting) resume()
      },
      empty: () => soon(() => queue.queued.entries === 0),
    }
  }
  test('texts are written once, and found by the id of the call', async () => {
    const { queue, empty, dropped } = aQueue()
    queue.add(someText('w1', { context: 'be brief', input: 'a\0b', output: 'x'.repeat(100_000) }))
    queue.add(someText('w2'))
    await empty()
    queue.add(someText('w2', { output: 'another' }))
    await empty()
    const texts = await findTexts(world().database.query, 'w1', seal)
    expect(texts).toMatchObject({ context: 'be brief', input_content: 'ab' })
    expect(texts?.output_content).toHaveLength(32 * 1024)
    expect(await findOutput('w2')).toBe('answer')
    expect(await findTexts(world().database.query, 'other', seal)).toBeNull()
    expect([queue.queued.bytes, dropped]).toEqual([0, { full: 0, late: 0, closed: 0 }])
  })

  test('texts are sealed at rest, each for its own row', async () => {
    const { queue, empty } = aQueue()
    queue.add(someText('s1', { context: 'canary-context', input: 'canary-input', output: 'canary-output' }))
    queue.add(someText('s2'))
    await empty()
    const { query } = world().database
    const rows = await query.selectFrom('log_texts').selectAll().where('request_id', 'in', ['s1', 's2']).execute()
    expect(JSON.stringify(rows)).not.toMatch(/canary|question|answer/)
    const one = rows.find((row) => row.request_id === 's1')
    await query
      .updateTable('log_texts')
      .set({ input: one?.input ?? '' })
      .where('request_id', '=', 's2')
      .execute()
    expect(await findTexts(query, 's2', seal)).toMatchObject({ input_content: '', output_content: 'answer' })
  })

  test('texts wait for an unavailable database; of too many the oldest are dropped', async () => {
    const { queue, set, tried, again, empty, dropped } = aQueue({ bounds: { entries: 3 } })
    set('refused')
    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5']) queue.add(someText(id))
    await tried()
    expect(queue.queued.entries).toBe(3)
    set('none')
    again()
    await empty()
    expect(await Promise.all(['e1', 'e2', 'e3', 'e5'].map(findOutput))).toEqual([
      undefined,
      undefined,
      'answer',
      'answer',
    ])
    expect(dropped).toEqual({ full: 2, late: 0, closed: 0 })
  })

  once('texts take no more memory than allowed, also while a statement hangs', async () => {
    const { queue, set, tried, dropped } = aQueue({ bounds: { bytes: 5000 } })
    set('refused')
    for (let index = 0; index < 50; index += 1) {
      queue.add(someText(`b${index}`, { output: 'ä'.repeat(500) }))
      expect(queue.queued.bytes).toBeLessThanOrEqual(5000)
      if (index === 2) await tried()
    }
    expect(queue.queued.entries).toBe(4)
    expect(dropped.full).toBe(46)
  })

  once('texts are dropped when the database is unavailable for too long', async () => {
    const { queue, set, tried, again, empty, dropped, clock } = aQueue({ bounds: { milliseconds: 60_000 } })
    set('refused')
    queue.add(someText('late'))
    await tried()
    clock.advance(60_001)
    queue.add(someText('in time'))
    set('none')
    again()
    await empty()
    expect([await findOutput('late'), await findOutput('in time')]).toEqual([undefined, 'answer'])
    expect(dropped).toEqual({ full: 0, late: 1, closed: 0 })
  })

  test('texts whose write lost its response are not written twice', async () => {
    const { queue, set, tried, again, empty, dropped } = aQueue()
    set('answer-lost')
    queue.add(someText('lost'))
    await tried()
    set('none')
    again()
    await empty()
    expect([await findOutput('lost'), dropped.late]).toEqual(['answer', 0])
  })

  once('texts that could not be written before the end are counted', async () => {
    const { queue, set, tried, again, dropped } = aQueue()
    set('refused')
    queue.add(someText('c1'))
    queue.add(someText('c2'))
    await tried()
    const closed = queue.close()
    again()
    await closed
    queue.add(someText('c3'))
    expect([dropped, queue.queued]).toEqual([
      { full: 0, late: 0, closed: 3 },
      { entries: 0, bytes: 0 },
    ])
  })

  once('queued texts are written on a clean exit', async () => {
    const { queue, dropped } = aQueue()
    queue.add(someText('p1'))
    await queue.close()
    expect([await findOutput('p1'), dropped.closed]).toEqual(['answer', 0])
  })

  test('old texts are deleted, also very many', async () => {
    const { query } = world().database
    const rows = Array.from({ length: 450 }, (_, index) => ({
      request_id: `old${index}`,
      created_at: 100 + (index % 7),
      context: '',
      input: '',
      output: '',
    }))
    await query.insertInto('log_texts').values(rows).execute()
    await query
      .insertInto('log_texts')
      .values({ request_id: 'young', created_at: 107, context: '', input: '', output: '' })
      .execute()
    const removal = { before: 107, pace: noRests(100), isOver: () => false }
    await removeInParts(removal, (rows) => removeTexts(query, 107, rows))
    const left = await query.selectFrom('log_texts').select('request_id').where('created_at', '<', 200).execute()
    expect(left).toEqual([{ request_id: 'young' }])
  })
})
