import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildGateway } from '../scripts/build-gateway'

setDefaultTimeout(120_000)

const program = [process.execPath, await buildGateway()]
/** For a process that should exit and does not. */
const timeoutMs = 60_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-failures-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Resolves with the log lines of a start with these settings and its exit code. A gateway that starts is stopped once `listening` has
 * resolved.
 */
async function lines(environment: Record<string, string>, listening: () => void = () => {}) {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', ...environment }
  const child = Bun.spawn(program, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: timeoutMs })
  const errors = new Response(child.stderr).text()
  let text = ''
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part
    if (!text.includes('listens on')) continue
    listening()
    child.kill('SIGTERM')
  }
  const written = (text + (await errors)).split('\n').filter(Boolean)
  return { code: await child.exited, lines: written.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

/** Returns the path of a folder that does not exist. */
const at = (name: string) => join(folder, name)

function damageDatabase(): string {
  mkdirSync(at('damaged'))
  writeFileSync(join(at('damaged'), 'tollgate.sqlite'), 'not a database, by no means'.repeat(100))
  return at('damaged')
}

function aFile(): string {
  writeFileSync(at('file'), '')
  return at('file')
}

test.each([
  ['a port that is taken', () => ({ DATA_DIR: at('port'), PORT: String(occupyPort().port) }), 'another program does'],
  ['a data folder that is a file', () => ({ DATA_DIR: aFile() }), 'cannot be written'],
  ['a data folder in a place that takes none', () => ({ DATA_DIR: '/proc/tollgate' }), 'cannot be written'],
  ['a damaged database', () => ({ DATA_DIR: damageDatabase() }), 'file is not a database'],
  ['a wrong setting', () => ({ DATA_DIR: at('setting'), WORKERS: 'x' }), 'WORKERS must be'],
  ['an unencoded password', () => ({ DATA_DIR: at('url'), DATABASE_URL: 'postgres://u:p/ss@db/x' }), 'percent-encode'],
])('%s ends the start with one line of the log, without a stack trace', async (_what, environment, expected) => {
  const { code, lines: written } = await lines(environment())
  expect(code).toBe(1)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatchObject({ level: 'fatal', msg: expect.stringContaining(expected) as string })
  expect(JSON.stringify(written)).not.toMatch(/\bat .*:\d+:\d+/)
})

function occupyPort() {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })
  server.unref()
  return server
}

test('a start logs its configuration and unknown settings, each line as JSON', async () => {
  const dataDir = at('chosen')
  mkdirSync(dataDir, { mode: 0o755 })
  writeFileSync(join(dataDir, 'tollgate.sqlite'), '')
  chmodSync(join(dataDir, 'tollgate.sqlite'), 0o644)
  const unknown = { DATABASE_URI: 'postgres://x', OTEL_SDK_DISABLED: 'true' }
  const readable = new Set<string>()
  const files = new Set<string>()
  const { code, lines: written } = await lines({ DATA_DIR: dataDir, ...unknown }, () => {
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      files.add(name)
      if (statSync(join(dataDir, name)).mode & 0o077) readable.add(name)
    }
  })
  expect(code).toBe(0)
  // Including the files that the database creates while it runs.
  expect([...files]).toEqual(expect.arrayContaining(['tollgate.sqlite-wal', 'tollgate.sqlite-shm']))
  expect([...readable]).toEqual([])
  for (const { level, time } of written) {
    expect(['info', 'warn']).toContain(String(level))
    expect(new Date(String(time)).toISOString()).toBe(String(time))
  }
  const chosen = { version: expect.any(String) as string, workers: 1, dataDir, database: 'SQLite in the data folder' }
  expect(written).toContainEqual(expect.objectContaining(chosen))
  const messages = written.map(({ msg }) => msg)
  expect(messages).toContain('DATABASE_URI has no effect. Did you mean DATABASE_URL?')
  expect(messages).toContainEqual(expect.stringContaining('OTEL_SDK_DISABLED has no effect'))
  expect(messages).toContainEqual(expect.stringContaining('Tollgate stops'))
  expect(messages.at(-1)).toBe('Tollgate has stopped')
  // The setup code is not in the log.
  expect(messages).toContainEqual(expect.stringContaining(join(dataDir, 'setup-code')))
  for (const name of ['setup-code', 'tollgate.sqlite', 'secret-key', 'node-id'])
    expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0])
})

test('a start with another secret key and a damaged journal goes on and says what to do about both', async () => {
  const DATA_DIR = at('trouble')
  expect((await lines({ DATA_DIR, SECRET_KEY: 'an obviously fake secret of 32 chars' })).code).toBe(0)
  writeFileSync(join(DATA_DIR, 'journal', 'gone.0.journal.sqlite'), 'not a journal, by no means'.repeat(100))
  const { code, lines: written } = await lines({ DATA_DIR, SECRET_KEY: 'another obviously fake secret, 32 chars' })
  expect(code).toBe(0)
  const errors = written.filter(({ level }) => level === 'error').map(({ msg }) => msg)
  expect(errors).toEqual([
    expect.stringMatching(/journal of a former worker is damaged and was set aside: .*Check the disk/),
    expect.stringMatching(/^The secret key is not the one .*Until then this node is not ready\.$/),
  ])
})
