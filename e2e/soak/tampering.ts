import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { setAsideIn } from '../../gateway/src/billing/ledger/journal/journal-files'
import type { GatewayUnit } from './gateway-unit'
import type { Problem } from './problem'
import type { Random } from './random'

/** Records that are not charges. */
const garbage: readonly [string, ...string[]] = [
  '',
  'null',
  '{}',
  '{"requestId":"x","cost":-5000000}',
  '\u0001\u0002 not a charge',
  '[1,2,3]',
]

/** Records injected into journals by gateway; no start may charge them. */
const injected = new WeakMap<GatewayUnit, Set<string>>()
let leftovers = 0

const folderOf = ({ options }: GatewayUnit): string => join(options.dataDir, 'journal')

/** Injects unreadable records into the journals of a killed gateway, and leaves one more journal that contains only such records. */
export function tamperWithJournals(gateway: GatewayUnit, random: Random): void {
  const folder = folderOf(gateway)
  if (gateway.isRunning || !existsSync(folder)) return
  const left = `left-${(leftovers += 1)}.journal.sqlite`
  const names = [...readdirSync(folder).filter((name) => name.endsWith('.journal.sqlite')), left]
  for (const name of names) {
    const seqs = addGarbage(join(folder, name), random)
    const known = injected.get(gateway) ?? new Set()
    for (const seq of seqs) known.add(`${name} ${seq}`)
    injected.set(gateway, known)
  }
}

/** Returns the numbers of the records; none where another process has locked the journal. */
function addGarbage(path: string, random: Random): number[] {
  try {
    using file = new SqliteFile(path, { create: true })
    file.run('create table if not exists charges (seq integer primary key, at integer not null, body text not null)')
    const { seq } = file.query<{ seq: number }, []>('select coalesce(max(seq), 0) as seq from charges').get() ?? {
      seq: 0,
    }
    const count = random.between(1, 4)
    const insert = file.query('insert into charges (seq, at, body) values (?, 0, ?)')
    const seqs = Array.from({ length: count }, (_, index) => seq + 1 + index)
    file.transaction(() => {
      for (const each of seqs) insert.run(each, random.pick(garbage))
    })()
    return seqs
  } catch {
    return []
  }
}

/**
 * Checks that every injected record is in a file beside its journal, that nothing else is, and that no journal was reported as truncated.
 */
export function auditJournals(gateways: readonly GatewayUnit[]): Problem[] {
  return gateways.flatMap((gateway) => {
    const expected = injected.get(gateway) ?? new Set()
    const found = new Set<string>()
    const problems: Problem[] = []
    for (const name of setAsideIn(folderOf(gateway))) {
      const path = join(folderOf(gateway), name)
      if (name.endsWith('.unreadable')) {
        for (const seq of seqsIn(path)) found.add(`${name.slice(0, -'.unreadable'.length)} ${seq}`)
      } else problems.push({ kind: 'lost', what: `${name}: ${readFileSync(path, 'latin1').slice(0, 200)}` })
      rmSync(path)
    }
    injected.delete(gateway)
    const differing = [...expected.symmetricDifference(found)]
    return [...problems, ...differing.map((what): Problem => ({ kind: 'lost', what: `unreadable record ${what}` }))]
  })
}

const seqsIn = (path: string): number[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq)
