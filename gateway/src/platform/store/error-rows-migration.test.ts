import { expect, test } from 'bun:test'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { migrate, migratorOf } from './migrate'

const before = '0043-tasks-by-action'
const setUp = { id: 1, version: '0', initialized_at: 1 }

for (const kind of eachDatabase) {
  test(`the step to rows of errors leaves a site that is set up without them, unless it chose (${kind})`, async () => {
    const outcomes: (string | undefined)[] = []
    for (const [isSetUp, chosen] of [
      [false, null],
      [true, null],
      [true, 'true'],
    ] as const) {
      await using world = await emptySite()
      const { query } = world.database
      await migratorOf(world.database).migrateTo(before)
      if (isSetUp) await query.insertInto('setups').values(setUp).execute()
      if (chosen) await query.insertInto('options').values({ key: 'LogErrorEnabled', value: chosen }).execute()
      await migrate(world.database)
      const stored = query.selectFrom('options').select('value').where('key', '=', 'LogErrorEnabled')
      outcomes.push((await stored.executeTakeFirst())?.value)
    }
    expect(outcomes).toEqual([undefined, 'false', 'true'])
  })

  const emptySite = async () => {
    const world = await emptyDatabase(kind)
    return { database: world.database, [Symbol.asyncDispose]: () => world.drop() }
  }
}
