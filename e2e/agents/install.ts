import { join } from 'node:path'

import { run } from './run-program'

/** What is installed together. */
export interface Package {
  readonly from: 'npm' | 'pypi'
  /** The first one names the folder. */
  readonly names: readonly string[]
}

/** A folder of its own for what was installed, and which versions these are, by name. */
export interface Installed {
  readonly folder: string
  readonly versions: ReadonlyMap<string, string>
}

/**
 * Installs packages from the registry that this machine is configured for, below a folder.
 * @throws Error with the installer's last words when they cannot be installed.
 */
export async function install({ from, names }: Package, below: string): Promise<Installed> {
  const folder = join(below, `${from}-${(names[0] ?? '').replaceAll(/[^\w.-]/g, '-')}`)
  return { folder, versions: await installers[from](folder, names) }
}

/** Returns where an installed program is. */
export const programIn = (
  { folder }: Installed,
  { from, program }: { from: Package['from']; program: string },
): string => join(folder, from === 'npm' ? 'node_modules/.bin' : 'bin', program)

type Installer = (folder: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>

const installers: Readonly<Record<Package['from'], Installer>> = {
  async npm(folder, names) {
    // A file remembers that it was not there.
    const manifestOf = (name: string) => Bun.file(join(folder, 'node_modules', name, 'package.json'))
    const found = await Promise.all(names.map((name) => manifestOf(name).exists()))
    if (found.includes(false))
      await mustRun(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...names])
    const read = names.map(async (name) => {
      const { version } = await manifestOf(name).json()
      return [name, String(version)] as const
    })
    return new Map(await Promise.all(read))
  },
  async pypi(folder, names) {
    const pip = join(folder, 'bin/pip')
    if (!(await Bun.file(join(folder, 'complete')).exists())) {
      await mustRun(['python3', '-m', 'venv', folder])
      await mustRun([pip, 'install', '--quiet', ...names])
      await Bun.write(join(folder, 'complete'), '')
    }
    const plain = names.map((name) => name.replace(/[[<].*/, ''))
    const shown = await mustRun([pip, 'show', ...plain])
    const versions = [...shown.matchAll(/^Version: (.*)$/gm)].map(([, version = 'unknown']) => version)
    return new Map(plain.map((name, index) => [name, versions[index] ?? 'unknown']))
  },
}

async function mustRun(command: readonly string[]): Promise<string> {
  // With the environment of this process: it configures the registries.
  const { exitCode, output } = await run(command, { env: process.env, timeoutMs: 900_000 })
  if (exitCode === 0) return output
  throw new Error(output.trim().split('\n').at(-1) ?? `${command[0]} ended with ${exitCode}`)
}
