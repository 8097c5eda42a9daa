import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Glob } from 'bun'

/** The time of day as one gateway sees it; how time passes stays as it is. */
export interface MovableClock {
  /** For the process that is to live by it. */
  readonly env: Readonly<Record<string, string>>
  /** Ahead or back by so many seconds, within a second. 0: right again. */
  jump(seconds: number): void
  remove(): void
}

/** Null where libfaketime is not installed. */
export function movableClock(): MovableClock | null {
  const library = libraryPath()
  if (library === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-clock-'))
  const file = join(folder, 'offset')
  const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  jump(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    jump,
    remove() {
      rmSync(folder, { recursive: true, force: true })
      forgetTheDead()
    },
  }
}

const sharedMemory = '/dev/shm'

/** The library leaves its part of the shared memory behind when its process is killed. */
function forgetTheDead(): void {
  if (!existsSync(sharedMemory)) return
  for (const name of readdirSync(sharedMemory)) {
    const processId = /faketime_(?:shm|sem)_(\d+)$/.exec(name)?.[1]
    if (processId === undefined || existsSync(`/proc/${processId}`)) continue
    rmSync(join(sharedMemory, name), { force: true })
  }
}

function libraryPath(): string | null {
  for (const folder of ['usr/lib/*/faketime', 'usr/lib/faketime', 'usr/local/lib/faketime', 'usr/lib64/faketime']) {
    const [found] = new Glob(`${folder}/libfaketimeMT.so.1`).scanSync('/')
    if (found !== undefined) return join('/', found)
  }
  return null
}
