import { Database as SqliteFile } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'

import { openLedgerAudit } from '../ledger-audit'
import { call } from '../call'
import { aProcessWorld } from '../world'

setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]

test('a file locked for writing by another process stops neither calls nor streams and loses nothing', async () => {
  await using world = await aProcessWorld({ options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } } })
  const { gateway, key, simulator } = world
  const { dataDir } = gateway
  const plainCall = () => call(gateway, key, { model, messages, max_tokens: 20 }, { timeoutMs: 5000 })
  expect((await plainCall()).status).toBe(200)

  using file = new SqliteFile(join(dataDir, 'tollgate.sqlite'))
  file.run('pragma busy_timeout = 5000')
  file.run('begin immediate')
  simulator.next({ tokens: 10, gapMs: 50 })
  const stream = call(gateway, key, { model, messages, max_tokens: 20, stream: true }, { timeoutMs: 5000 })
  const responses = [await plainCall(), await plainCall(), await stream]
  // What already waits for the lock would delay the next ones as well.
  for (let turn = 0; turn < 8; turn += 1) responses.push(await plainCall())
  file.run('rollback')
  expect(responses.map(({ status, isBroken }) => [status, isBroken])).toEqual(responses.map(() => [200, false]))
  expect(await gateway.stop()).toBe(0)

  await using ledger = openLedgerAudit(dataDir, '')
  const charged = new Set((await ledger.charges()).map((charge) => charge.request_id))
  for (const { requestId } of responses) expect(charged).toContain(requestId)
  const sums = await ledger.sums()
  expect([sums.leased, sums.free + sums.used]).toEqual([0, sums.credited])
})
