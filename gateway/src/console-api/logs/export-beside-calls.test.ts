import { expect, setDefaultTimeout, test } from 'bun:test'

import { aCall } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { aLogRow } from '../../../test/rows'
import { exportLogs } from './logs'
import { logColumns } from './log-columns'
import { logEntity } from './log-entity'

setDefaultTimeout(120_000)

/** Several windows of an export. */
const rows = 3000
/** Far more files than are written while the calls are answered, if they are answered at all. */
const maxFiles = 100
const calls = 5

async function insertRows({ database }: RelayWorld['ctx']) {
  for (let from = 0; from < rows; from += 500) {
    const some = Array.from({ length: 500 }, (_, index) => aLogRow({ request_id: `r${from + index}` }))
    await database.query.insertInto('logs').values(some).execute()
  }
}

/** Reads one whole file as fast as it arrives. Resolves with its number of lines. */
async function fileOf({ ctx }: RelayWorld): Promise<number> {
  const { body } = await exportLogs({}, { columns: logColumns, entity: (row) => logEntity(row, 'en') }, aCall(ctx))
  return (await new Response(body).text()).split('\r\n').length
}

for (const kind of eachDatabase) {
  test(`calls are answered while log files are written without a break (${kind})`, async () => {
    await using world = await createRelayWorld({ kind })
    await insertRows(world.ctx)
    const statuses: number[] = []
    const call = async () => statuses.push((await world.chat()).status)
    const all = Promise.all(Array.from({ length: calls }, call))
    let files = 0
    for (; files < maxFiles && statuses.length < calls; files += 1) expect(await fileOf(world)).toBeGreaterThan(rows)
    // handled before anything waits for them
    expect(statuses).toEqual(Array.from({ length: calls }, () => 200))
    await all
  })
}
