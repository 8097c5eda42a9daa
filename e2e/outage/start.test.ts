import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildGateway } from '../../scripts/build-gateway'
import { openGate } from '@tollgate/simulator'

import { freshDatabase } from '../databases'
import { startGateway } from '../gateway'

const program = [process.execPath, await buildGateway()]

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

test.concurrent.each(['refuses', 'hangs'])(
  'a start whose PostgreSQL %s exits soon with a clear message that hides the password',
  async (how) => {
    await using gate = await openGate(1)
    if (how === 'hangs') gate.hang()
    else await gate.refuse()
    const databaseUrl = `postgres://tollgate:a-secret@127.0.0.1:${gate.port}/tollgate`
    const failure = await startGateway({ databaseUrl, env: { DATABASE_WAIT: '0' } }).then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    expect(failure).toContain('The gateway ended with 1')
    expect(failure).toContain('The database does not answer: ')
    expect(failure).toContain('tollgate doctor')
    expect(failure).not.toContain('a-secret')
    expect(failure).not.toContain('    at ')
  },
)

test.if(Boolean(process.env['TEST_POSTGRES_URL']))('a start waits for a PostgreSQL that comes later', async () => {
  await using database = await freshDatabase('postgres')
  const behind = new URL(database.url)
  await using gate = await openGate(Number(behind.port))
  await gate.refuse()
  behind.port = String(gate.port)
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-late-'))
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', DATABASE_URL: behind.href }
  const child = Bun.spawn(program, { env, stdin: 'ignore', stdout: 'pipe' })
  try {
    let output = ''
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (!output.includes('waiting for it') && (output + text).includes('waiting for it')) await gate.open()
      output += text
      if (output.includes('listens on')) break
    }
    expect(output).toMatch(/"level":"warn".*waiting for it[^]*listens on/)
  } finally {
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    rmSync(dataDir, { recursive: true })
  }
})

test('a start without its database fails at once', async () => {
  const server = process.env['TEST_POSTGRES_URL']
  if (!server) return
  const wrong = new URL(server)
  wrong.pathname = '/there_is_no_such_database'
  const failure = await startGateway({ databaseUrl: wrong.href }).catch(String)
  expect(failure).toContain('there_is_no_such_database')
  expect(failure).not.toContain('waiting')
})
