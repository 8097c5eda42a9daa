import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { anEntry } from '../../test/ledger'
import { openJournal } from '../billing/ledger/journal/journal'
import { readHead } from '../billing/ledger/journal/journal-record'
import { copyJournal, journalContents } from './copy-journal'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A worker: appends and removes without pause, and empties the file now and then. */
const writer = (path: string) => `
  import { openJournal } from ${JSON.stringify(join(import.meta.dir, '../billing/ledger/journal/journal'))}
  const journal = openJournal(${JSON.stringify(path)}, 'process')
  const record = { requestId: 'r', cost: 1, isLogged: true, userLease: 'l', tokenLease: '', entry: { other: 'x'.repeat(3000) } }
  for (let turn = 0; ; turn += 1) {
    journal.append(Array.from({ length: 20 }, () => record), turn)
    if (turn === 0) console.log('writing')
    if (turn > 5) journal.remove(journal.read(0, 20))
    if (turn % 50 === 49) while (journal.depth > 0) journal.remove(journal.read(0, 20))
  }`

test('a journal that is written meanwhile is copied as of one moment', async () => {
  const path = join(folder, 'busy')
  const child = Bun.spawn([process.execPath, '-e', writer(path)], { stdout: 'pipe' })
  try {
    await child.stdout.getReader().read()
    for (let copies = 0; copies < 20; copies += 1) {
      const copy = join(folder, `copy-${copies}`)
      const copied = copyJournal(path, copy)
      const lines = existsSync(copy) ? readFileSync(copy, 'utf8').split('\n').slice(0, -1) : []
      const seqs = lines.map((line) => readHead(line)?.seq ?? 0)
      // A copy that mixes two moments has a gap, or a line that cannot be read.
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index))
      expect([copied?.charges, copied?.unreadable]).toEqual([seqs.length, 0])
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

test('a journal that is gone is skipped, and lines that cannot be read are copied and counted', () => {
  expect(copyJournal(join(folder, 'gone'), join(folder, 'gone-copy'))).toBeNull()
  const path = join(folder, 'damaged')
  writeFileSync(path, 'not a journal\nby no means\n')
  const contents = { charges: 0, unreadable: 2, oldestMs: null }
  expect(journalContents(path)).toEqual(contents)
  expect(copyJournal(path, join(folder, 'damaged-copy'))).toEqual(contents)
  expect(readFileSync(join(folder, 'damaged-copy'), 'utf8')).toBe(readFileSync(path, 'utf8'))
})

test('what was applied is not in the copy', () => {
  const path = join(folder, 'applied')
  const journal = openJournal(path, 'process')
  const record = { requestId: 'r', cost: 1, isLogged: true, userLease: 'l', tokenLease: '', entry: anEntry() }
  journal.append([record, record, record], 7)
  journal.remove(journal.read(0, 2))
  expect(copyJournal(path, join(folder, 'applied-copy'))).toEqual({ charges: 1, unreadable: 0, oldestMs: 7 })
  journal.close()
})
