import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

import type { Cores } from './processes'

/** What a figure depends on besides the program. Nothing that names the machine. */
export function describeMachine(cores: Cores): string[] {
  const [cpu] = cpus()
  return [
    `Machine: ${navigator.hardwareConcurrency} cores of ${cpu?.model ?? 'an unknown kind'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Bun ${Bun.version}`,
    `Cores: ${cores.isPinned ? 'what is measured on one, load and upstream on another' : 'not pinned'}`,
    `Commit: ${commit()}`,
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ]
}

function commit(): string {
  const id = git('rev-parse', '--short', 'HEAD')
  const isChanged = git('status', '--porcelain', '--', ':!bench/RESULTS.md') !== ''
  return `${id || 'unknown'}${isChanged ? ', with changes that are in no commit' : ''}`
}

const git = (...words: string[]): string =>
  Bun.spawnSync(['git', ...words], { cwd: join(import.meta.dir, '..') })
    .stdout.toString()
    .trim()
