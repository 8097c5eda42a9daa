import { Database as SqliteFile } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyJournal } from './copy-journal'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A worker: appends and removes without pause, with checkpoints in between. */
const writer = (path: string) => `
  import { openJournal } from ${JSON.stringify(join(import.meta.dir, '../billing/ledger/journal/journal'))}
  const journal = openJournal(${JSON.stringify(path)}, 'process')
  const record = { requestId: 'r', cost: 1, isLogged: true, userLease: 'l', tokenLease: '', entry: { other: 'x'.repeat(3000) } }
  for (let turn = 0; ; turn += 1) {
    journal.append(Array.from({ length: 20 }, () => record), turn)
    if (turn === 0) console.log('writing')
    if (turn > 5) journal.remove(journal.read(0, 20))
  }`

test('a journal that is written meanwhile is copied as of one moment', async () => {
  const path = join(folder, 'busy')
  const child = Bun.spawn([process.execPath, '-e', writer(path)], { stdout: 'pipe' })
  try {
    await child.stdout.getReader().read()
    for (let copies = 0; copies < 20; copies += 1) {
      const copy = join(folder, `copy-${copies}`)
      const copied = copyJournal(path, copy)
      expect(readdirSync(folder).filter((name) => name.startsWith(`copy-${copies}`))).toEqual([`copy-${copies}`])
      using file = new SqliteFile(copy)
      const [row] = file.query('select count(*) as charges, min(seq) as low, max(seq) as high from charges').all() as {
        charges: number
        low: number
        high: number
      }[]
      // twenty at a time are appended and removed from the front: a copy that mixes two moments has a gap
      expect(row?.charges).toBe((row?.high ?? 0) - (row?.low ?? 0) + 1)
      expect([(row?.charges ?? 1) % 20, copied?.charges]).toEqual([0, row?.charges])
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

test('a journal that is gone is skipped, one that is damaged is named', () => {
  expect(copyJournal(join(folder, 'gone'), join(folder, 'gone-copy'))).toBeNull()
  const path = join(folder, 'damaged')
  writeFileSync(path, 'not a database at all, and long enough to be read as one'.repeat(40))
  expect(() => copyJournal(path, join(folder, 'damaged-copy'))).toThrow(`The journal ${path} is damaged`)
})
