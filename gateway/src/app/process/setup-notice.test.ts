import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDataFolder } from '../../platform/store/data-folder'
import { showSetupCode } from './setup-notice'

let path = ''
beforeEach(() => void (path = mkdtempSync(join(tmpdir(), 'tollgate-notice-'))))
afterEach(() => rmSync(path, { recursive: true, force: true }))

function showNotice(url: string, isTTY: boolean) {
  const lines: string[] = []
  const messages: string[] = []
  const terminal = { isTTY, write: (text: string) => void lines.push(text) }
  showSetupCode(
    { code: 'a-b_c', url },
    openDataFolder(path),
    (_level, message) => void messages.push(message),
    terminal,
  )
  return { lines, messages }
}

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/setup#code=a-b_c'],
  ['http://localhost:8080', 'http://localhost:8080/setup#code=a-b_c'],
  ['http://0.0.0.0:3000', 'http://localhost:3000/setup#code=a-b_c'],
  ['http://[::]:3000', 'http://localhost:3000/setup#code=a-b_c'],
])('a start on a terminal at %s prints the link %s', (url, link) => {
  expect(showNotice(url, true)).toEqual({ lines: [`Set the gateway up: ${link}\n`], messages: [] })
})

test('a start without a terminal names page and file in the log, and the code stands in the file alone', () => {
  const { lines, messages } = showNotice('http://0.0.0.0:3000', false)
  const file = join(path, 'setup-code')
  expect(lines).toEqual([])
  expect(messages).toEqual([`Not set up yet. Open http://localhost:3000/setup, which asks for the code in ${file}`])
  expect(readFileSync(file, 'utf8')).toBe('a-b_c\n')
})
