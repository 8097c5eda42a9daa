import { expect, test } from 'bun:test'

import { createLogWriter } from './log-writer'
import type { LineOutput } from './standard-output'

function anOutput(isTTY: boolean) {
  const written = { stdout: '', stderr: '' }
  const output: LineOutput = {
    stdout: { isTTY, write: (text) => void (written.stdout += text) },
    stderr: { isTTY, write: (text) => void (written.stderr += text) },
  }
  return { written, output }
}

test('a line is one JSON object with the level as text, an ISO time and no secrets', () => {
  const { written, output } = anOutput(false)
  const writeLog = createLogWriter({ logLevel: undefined, base: { worker: 'n.1' }, output })
  writeLog('warn', 'cannot reach postgres://u:hunter2@db', { password: 'hunter2', error: new Error('no\nroute') })
  const line = JSON.parse(written.stdout) as Record<string, unknown>
  expect(written.stdout.trim().split('\n')).toHaveLength(1)
  expect(line).toMatchObject({ level: 'warn', worker: 'n.1', error: { message: 'no\nroute' } })
  expect(String(line['time'])).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(written.stdout).not.toContain('hunter2')
})

test('a fatal line goes to standard error', () => {
  const { written, output } = anOutput(false)
  createLogWriter({ logLevel: 'info', output })('fatal', 'no')
  expect(written.stdout).toBe('')
  expect(JSON.parse(written.stderr)).toMatchObject({ level: 'fatal', msg: 'no' })
})

test.each([
  ['warn', ['warn', 'fatal']],
  ['silent', []],
  ['nonsense', ['info', 'warn', 'fatal']],
])('LOG_LEVEL=%s writes %j', (logLevel, expected) => {
  const { written, output } = anOutput(false)
  const writeLog = createLogWriter({ logLevel, output })
  for (const level of ['info', 'warn', 'fatal'] as const) writeLog(level, 'x')
  const lines = (written.stdout + written.stderr).split('\n').filter(Boolean)
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected)
})

test('a line is text for a person on a terminal', () => {
  const { written, output } = anOutput(true)
  createLogWriter({ logLevel: 'info', output })('info', 'listening', { workers: 2, database: 'SQLite' })
  expect(written.stdout).toMatch(/^\d\d:\d\d:\d\d info {2}listening {2}workers=2 {2}database=SQLite\n$/)
})
