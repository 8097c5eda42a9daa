import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const roomyMegabytes = 2048
const step = 64 * 1024
const tries = 20

/** A folder on a file system of its own that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  empty(): void
  remove(): void
}

/** Returns null where a tmpfs cannot be mounted, which requires root. */
export function mountSmallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-disk-'))
  if (!mount(['-t', 'tmpfs', '-o', `size=${roomyMegabytes}m`, 'tmpfs', folder])) {
    rmSync(folder, { recursive: true })
    return null
  }
  const unmount = () => Bun.spawnSync(['umount', '-l', folder])
  process.once('exit', unmount)
  const resize = (size: string) => mount(['-o', `remount,size=${size}`, folder])
  return {
    folder,
    /** Shrinks it to its content, which fills it without writing anything. */
    fill() {
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const { blocks, bfree, bsize } = statfsSync(folder)
        if (resize(String((blocks - bfree) * bsize + attempt * step))) return
      }
      throw new Error('The disk could not be filled')
    },
    empty: () => void resize(`${roomyMegabytes}m`),
    remove() {
      process.off('exit', unmount)
      unmount()
      rmSync(folder, { recursive: true })
    },
  }
}

const mount = (parameters: readonly string[]): boolean => Bun.spawnSync(['mount', ...parameters]).exitCode === 0
