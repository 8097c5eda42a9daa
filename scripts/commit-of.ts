import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Twelve digits name a commit for as long as anyone will look for it. */
const shortForm = ['git', 'describe', '--always', '--dirty=.dirty', '--abbrev=12', '--exclude=*']

/**
 * Returns the commit of a checkout, with `.dirty` where its files differ from it, to be part of the version; empty where that is not known.
 * Where the sources come without their history, as into an image, `COMMIT` names it.
 */
export function commitOf(root: string): string {
  const fromEnvironment = (process.env['COMMIT'] ?? '').trim()
  if (/^[\da-f]{7,40}(?:\.dirty)?$/.test(fromEnvironment)) return fromEnvironment
  // Another repository may lie around the folder.
  if (!existsSync(join(root, '.git')) || Bun.which('git') === null) return ''
  // It would refresh the index, which others may be writing.
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' }
  const { success, stdout } = Bun.spawnSync(shortForm, { cwd: root, env, stderr: 'ignore' })
  return success ? stdout.toString().trim() : ''
}

/** Returns what a build puts in place of `TOLLGATE_COMMIT`. */
export const commitDefine = (commit: string) => ({ TOLLGATE_COMMIT: JSON.stringify(commit) })
