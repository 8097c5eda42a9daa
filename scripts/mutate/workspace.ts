import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A copy of the tree in which faults are made: the tree itself is never changed, and may be edited meanwhile. */
export interface Workspace extends Disposable {
  readonly root: string
}

/** The store of packages. All else in `node_modules` are links into it, and to our own packages beside them. */
const store = 'node_modules/.bun'
const isLeftOut = /^(?:\.bun|\.cache|\.git|dist|data|screenshots)$/

/** Copies a tree into a temporary folder. The copy shares the packages that are installed, not ours. */
export function copyTree(root: string): Workspace {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-mutate-'))
  const workspace = { root: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) }
  try {
    const filter = (path: string) => path === root || !isLeftOut.test(basename(path))
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true, filter })
    if (existsSync(join(root, store))) symlinkSync(join(root, store), join(copy, store))
    return workspace
  } catch (error) {
    workspace[Symbol.dispose]()
    throw error
  }
}
