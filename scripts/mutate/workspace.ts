import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A copy of the tree in which faults are made: the tree itself is never changed, and may be edited meanwhile. */
export interface Workspace extends Disposable {
  readonly root: string
}

/** What is installed, built, stored or not ours. */
const isLeftOut = /^(?:node_modules|dist|data|screenshots|\.git)$/

/** Copies a tree into a temporary folder and installs its packages there. @throws Error where they do not install. */
export async function copyTree(root: string): Promise<Workspace> {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-mutate-'))
  const workspace = { root: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) }
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => path === root || !isLeftOut.test(basename(path)) })
    if (existsSync(join(copy, 'bun.lock'))) await install(copy)
    return workspace
  } catch (error) {
    workspace[Symbol.dispose]()
    throw error
  }
}

async function install(root: string): Promise<void> {
  const command = [process.execPath, 'install', '--frozen-lockfile', '--silent']
  const run = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const said = await new Response(run.stderr).text()
  if ((await run.exited) !== 0) throw new Error(`The packages of a copy do not install:\n${said}`)
}
