import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { sourceStamp } from './console/stamp'

/** Build the console into console/dist, unless what lies there was built from these sources. */

const root = join(import.meta.dir, '..')
const consoleFolder = join(root, 'console')
const built = join(consoleFolder, 'dist')
const stampName = '.stamp'

if (import.meta.main) await buildConsole()

/** @throws Error when the console does not build; why has been printed. */
export async function buildConsole(): Promise<void> {
  const stamp = await sourceStamp(root)
  if (stampOf(built) === stamp) return
  const started = performance.now()
  console.log('Building the console …')
  const next = nextFolder()
  try {
    await bundle(next)
    const { pack } = await import('./console/pack')
    await pack(next)
    writeFileSync(join(next, stampName), stamp)
    swap(next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  console.log(`Built the console in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** The new build into the place of the old one, at once: a gateway may be serving it. */
function swap(next: string): void {
  const old = `${next}.old`
  if (existsSync(built)) renameSync(built, old)
  renameSync(next, built)
  rmSync(old, { recursive: true, force: true })
}

function stampOf(folder: string): string | null {
  const path = join(folder, stampName)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** Beside the old one, which is served until the new one is whole; where no tool looks for sources. */
function nextFolder(): string {
  const folder = join(consoleFolder, 'node_modules/.build', String(process.pid))
  mkdirSync(folder, { recursive: true })
  return folder
}

async function bundle(folder: string): Promise<void> {
  const vite = join(consoleFolder, 'node_modules/vite/bin/vite.js')
  const command = [process.execPath, vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  const run = Bun.spawn(command, {
    cwd: consoleFolder,
    // Even in tests: leave out the parts that only help developers.
    env: { ...process.env, NODE_ENV: 'production' },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error('The console does not build.')
}
