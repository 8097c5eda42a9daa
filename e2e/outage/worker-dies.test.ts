import { expect, setDefaultTimeout, test } from 'bun:test'

import { openGate } from '@tollgate/simulator'

import { freshDatabase } from '../databases'
import { startGateway } from '../gateway'
import { until } from '../ledger-view'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const timeoutMs = 60_000
const notSettled = 'could not be settled yet'

test.skipIf(!process.env['TEST_POSTGRES_URL'])(
  'a worker that dies while PostgreSQL is down is replaced when it is back, and not before',
  async () => {
    await using database = await freshDatabase('postgres')
    const url = new URL(database.url)
    await using gate = await openGate(Number(url.port || 5432))
    url.host = `127.0.0.1:${gate.port}`
    await using gateway = await startGateway({ databaseUrl: url.href, workers: 2 })
    const [victim, survivor] = gateway.workerIds()
    await gate.refuse()
    process.kill(victim ?? 0, 'SIGKILL')
    // The supervisor retries the settlement a second after the first attempt; a replacement would be there long before.
    const triedTwice = await until(
      async () => gateway.output().split(notSettled).length > 2,
      (isSo) => isSo,
      timeoutMs,
    )
    expect(triedTwice).toBe(true)
    expect(gateway.workerIds()).toEqual([survivor ?? 0])
    expect(gateway.output()).not.toContain('does not start without it')
    await gate.open()
    const workers = await until(
      async () => gateway.workerIds(),
      ({ length }) => length === 2,
      timeoutMs,
    )
    expect(workers).toContain(survivor ?? 0)
    expect(workers).toHaveLength(2)
  },
)
