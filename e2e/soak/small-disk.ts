import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const roomyMegabytes = 2048
const step = 64 * 1024
const tries = 20

/** A folder on a file system of its own that can be made full. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  empty(): void
  remove(): void
}

/** Null where a tmpfs cannot be mounted, which takes root. */
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
    /** It shrinks to what is in it: nothing has to be written to make it full. */
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
