import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Glob } from 'bun'

/** The time of day as one gateway sees it; the monotonic clock is unaffected. */
export interface MovableClock {
  /** Environment of the process that uses this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the clock ahead or back by this many seconds, effective within a second. 0: correct again. */
  jump(seconds: number): void
  remove(): void
}

/** Returns null where libfaketime is not installed. */
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

/** Removes the shared memory that the library leaves behind when its process is killed. */
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
