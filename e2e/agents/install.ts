import { join } from 'node:path'

import type { AgentPackage } from './agent'
import { run } from './run-program'

/** A package that was installed, and which version it is. */
interface Installed {
  readonly program: string
  readonly version: string
}

/**
 * Installs a package from the registry that this machine is configured for, into a folder of its own.
 * @throws Error with the installer's last words when it cannot be installed.
 */
export async function install({ from, name, program }: AgentPackage, folder: string): Promise<Installed> {
  const own = join(folder, name.replaceAll(/[@/]/g, '-'))
  return from === 'npm' ? installFromNpm(own, name, program) : installFromPypi(own, name, program)
}

async function installFromNpm(folder: string, name: string, program: string): Promise<Installed> {
  const manifest = Bun.file(join(folder, 'node_modules', name, 'package.json'))
  if (!(await manifest.exists()))
    await mustRun(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', name])
  const { version } = await manifest.json()
  return { program: join(folder, 'node_modules/.bin', program), version: String(version) }
}

async function installFromPypi(folder: string, name: string, program: string): Promise<Installed> {
  const pip = join(folder, 'bin/pip')
  const installed = join(folder, 'bin', program)
  if (!(await Bun.file(installed).exists())) {
    await mustRun(['python3', '-m', 'venv', folder])
    await mustRun([pip, 'install', '--quiet', name])
  }
  const shown = await mustRun([pip, 'show', name])
  return { program: installed, version: /^Version: (.*)$/m.exec(shown)?.[1] ?? 'unknown' }
}

async function mustRun(command: readonly string[]): Promise<string> {
  // With the environment of this process: it configures the registries.
  const { exitCode, output } = await run(command, { env: process.env, timeoutMs: 600_000 })
  if (exitCode === 0) return output
  throw new Error(output.trim().split('\n').at(-1) ?? `${command[0]} ended with ${exitCode}`)
}
