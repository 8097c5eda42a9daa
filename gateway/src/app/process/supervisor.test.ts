import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migratedSqlite } from '../../../test/databases'
import { openDataFolder } from '../../platform/store/data-folder'
import type { WorkerMessage } from './messages'
import { supervise } from './supervisor'

const signals = ['SIGTERM', 'SIGINT'] as const
const ownListeners = signals.map((signal) => [signal, process.listeners(signal)] as const)

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tollgate-supervisor-'))))
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const [signal, own] of ownListeners) {
    for (const listener of process.listeners(signal)) if (!own.includes(listener)) process.off(signal, listener)
  }
})

/** The answer returns to the worker that asked, so the supervisor has read the report when the worker exits. */
const lastWords: readonly WorkerMessage[] = [
  { kind: 'prepared', workers: 1, setupCode: 'code', isSettled: true },
  { kind: 'asked', topic: 'metrics', question: 1 },
]
const dyingWorker = `
  process.on('message', () => process.exit(3))
  for (const message of ${JSON.stringify(lastWords)}) process.send(message)
`

test('a gateway whose workers keep dying gives up and says so', async () => {
  await migratedSqlite(openDataFolder(folder).sqlitePath)
  const messages: string[] = []
  const code = await supervise(
    { PATH: process.env['PATH'], DATA_DIR: folder },
    (level, message) => messages.push(`${level}: ${message}`),
    [process.execPath, '-e', dyingWorker],
  )
  expect(code).toBe(1)
  expect(messages.filter((line) => line === 'warn: A worker died')).toHaveLength(11)
  expect(messages.filter((line) => line === 'info: Another worker takes its place')).toHaveLength(10)
  expect(messages.at(-1)).toBe('error: The workers keep dying: giving up')
})
