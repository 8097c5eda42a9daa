import { $ } from 'bun'

/** Names of the main branch: what was cloned, then a local one. */
const mainBranches = ['origin/HEAD', 'main']

/** Returns the paths that differ from a revision, by default from where this branch left the main one; undefined outside of a clone. */
export async function changedPaths(revision?: string): Promise<string[] | undefined> {
  const start = revision ?? (await forkPoint())
  const different = await $`git diff --name-only --relative ${start}`.nothrow().quiet()
  const added = await $`git ls-files --others --exclude-standard`.nothrow().quiet()
  if (different.exitCode !== 0 || added.exitCode !== 0) return undefined
  return (different.text() + added.text()).split('\n').filter((path) => path !== '')
}

async function forkPoint(): Promise<string> {
  for (const branch of mainBranches) {
    const fork = await $`git merge-base HEAD ${branch}`.nothrow().quiet()
    if (fork.exitCode === 0) return fork.text().trim()
  }
  return 'HEAD'
}
