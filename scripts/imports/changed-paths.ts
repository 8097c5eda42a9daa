import { $ } from 'bun'

/** Names of the main branch: what was cloned, then a local one. */
const mainBranches = ['origin/HEAD', 'main']

/**
 * Returns the paths that differ from a revision, by default from where this branch left the main one, whether committed or not; undefined
 * outside of a clone and for an unknown revision.
 */
export async function changedPaths(root: string, revision?: string): Promise<string[] | undefined> {
  const start = revision ?? (await forkPoint(root))
  const different = await $`git diff --name-only --relative ${start}`.cwd(root).nothrow().quiet()
  const added = await $`git ls-files --others --exclude-standard`.cwd(root).nothrow().quiet()
  if (different.exitCode !== 0 || added.exitCode !== 0) return undefined
  return (different.text() + added.text()).split('\n').filter((path) => path !== '')
}

async function forkPoint(root: string): Promise<string> {
  for (const branch of mainBranches) {
    const fork = await $`git merge-base HEAD ${branch}`.cwd(root).nothrow().quiet()
    if (fork.exitCode === 0) return fork.text().trim()
  }
  return 'HEAD'
}
