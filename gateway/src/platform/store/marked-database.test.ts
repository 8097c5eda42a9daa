import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { sql } from 'kysely'

import { freshDatabase, type TestDatabase } from '../../../test/databases'
import { kinds } from '../../../test/kinds'
import type { Database } from './database'
import { markedDatabase } from './marked-database'

describe.each(kinds)('a marked database (%s)', (kind) => {
  let fresh: TestDatabase
  let marked: Database
  let isRefused = false
  beforeAll(async () => {
    fresh = await freshDatabase(kind)
    const { query } = fresh.database
    const count = query
      .updateTable('counters')
      .set((eb) => ({ value: eb('value', '+', 1) }))
      .where('name', '=', 'marks')
    marked = markedDatabase(fresh.database, async (run) => {
      expect(await run(count.compile())).toBe(1n)
      if (isRefused) throw new Error('refused')
    })
  })
  afterAll(() => fresh.drop())
  beforeEach(async () => {
    isRefused = false
    await fresh.database.query.deleteFrom('site_notes').execute()
    await fresh.database.query.deleteFrom('counters').execute()
    await fresh.database.query.insertInto('counters').values({ name: 'marks', value: 0 }).execute()
  })

  const note = (name: string, { query }: Pick<Database, 'query'> = marked) =>
    query.insertInto('site_notes').values({ name, value: '', updated_at: 1 }).execute()
  const notes = () => fresh.database.query.selectFrom('site_notes').select('name').orderBy('name').execute()
  const marks = async () => {
    const { value } = await fresh.database.query.selectFrom('counters').select('value').executeTakeFirstOrThrow()
    return value
  }

  test('marks a change outside of a transaction, and one with many changes once', async () => {
    await note('alone')
    expect(await marks()).toBe(1)
    await marked.query.transaction().execute(async (query) => {
      await note('first', { query })
      await note('second', { query })
    })
    expect(await marks()).toBe(2)
    expect((await notes()).map(({ name }) => name)).toEqual(['alone', 'first', 'second'])
  })

  test('marks neither what is read, nor a change of no row, nor what was rolled back', async () => {
    await marked.query.selectFrom('site_notes').selectAll().execute()
    await sql`select 1`.execute(marked.query)
    await marked.query.deleteFrom('site_notes').where('name', '=', 'absent').execute()
    await marked.query.transaction().execute((query) => query.selectFrom('site_notes').selectAll().execute())
    const failed = marked.query.transaction().execute(async (query) => {
      await note('lost', { query })
      throw new Error('died')
    })
    expect(await failed.catch(String)).toBe('Error: died')
    expect(await marks()).toBe(0)
    expect(await notes()).toEqual([])
  })

  test('takes back a change whose mark is refused, and goes on', async () => {
    isRefused = true
    expect(await note('alone').catch(String)).toContain('refused')
    const failed = marked.query.transaction().execute((query) => note('inside', { query }))
    expect(await failed.catch(String)).toContain('refused')
    expect([await marks(), await notes()]).toEqual([0, []])
    isRefused = false
    await note('later')
    expect(await marks()).toBe(1)
  })

  test('marks through another view of the same database', async () => {
    let outer = 0
    const both = markedDatabase(marked, () => Promise.resolve(void (outer += 1)))
    await note('alone', both)
    await both.query.transaction().execute((query) => note('inside', { query }))
    expect([await marks(), outer]).toEqual([2, 2])
  })
})
