import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

import { setAsideIn } from '../../gateway/src/billing/ledger/journal/journal-files'
import type { GatewayUnit } from './gateway-unit'
import type { Problem } from './problem'
import type { Random } from './random'

/** Lines that are not charges. */
const garbage: readonly [string, ...string[]] = [
  '',
  'null',
  '{}',
  '{"requestId":"x","cost":-5000000}',
  '\u0001\u0002 not a charge',
  '[1,2,3]',
]

/** Lines injected into journals by gateway; no start may charge them. */
const injected = new WeakMap<GatewayUnit, Set<string>>()
let leftovers = 0
let count = 0

const folderOf = ({ options }: GatewayUnit): string => join(options.dataDir, 'journal')

/** More than is ever injected. */
const minFreeBytes = 65_536

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Injects unreadable lines into the journals of a killed gateway, and leaves one more journal that contains only such lines. Does nothing while
 * another fault has filled the disk.
 */
export function tamperWithJournals(gateway: GatewayUnit, random: Random): void {
  const folder = folderOf(gateway)
  if (gateway.isRunning || !existsSync(folder) || freeBytes(folder) < minFreeBytes) return
  const left = `left-${(leftovers += 1)}.journal`
  const known = injected.get(gateway) ?? new Set()
  for (const name of [...readdirSync(folder).filter((name) => name.endsWith('.journal')), left]) {
    const lines = Array.from({ length: random.between(1, 4) }, () => `${random.pick(garbage)} ${(count += 1)}`)
    appendFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''))
    for (const line of lines) known.add(`${name} ${line}`)
  }
  injected.set(gateway, known)
}

/**
 * Checks that every injected line is in a file beside its journal, that nothing else is, and that no journal was reported as truncated.
 */
export function auditJournals(gateways: readonly GatewayUnit[]): Problem[] {
  return gateways.flatMap((gateway) => {
    const expected = injected.get(gateway) ?? new Set()
    const found = new Set<string>()
    const problems: Problem[] = []
    for (const name of setAsideIn(folderOf(gateway))) {
      const path = join(folderOf(gateway), name)
      if (name.endsWith('.unreadable')) {
        for (const line of linesIn(path)) found.add(`${name.slice(0, -'.unreadable'.length)} ${line}`)
      } else problems.push({ kind: 'lost', what: `${name}: ${readFileSync(path, 'latin1').slice(0, 200)}` })
      rmSync(path)
    }
    injected.delete(gateway)
    const differing = [...expected.symmetricDifference(found)]
    return [...problems, ...differing.map((what): Problem => ({ kind: 'lost', what: `unreadable line ${what}` }))]
  })
}

const linesIn = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { line: string }).line)
