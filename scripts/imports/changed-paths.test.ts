import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { $ } from 'bun'

import { changedPaths } from './changed-paths'

const root = mkdtempSync(join(tmpdir(), 'tollgate-clone-'))
const write = (path: string, text: string) => Bun.write(join(root, path), text)
const commit = () => $`git add -A && git -c user.name=a -c user.email=a@example.com commit -qm a`.cwd(root).quiet()

beforeAll(async () => {
  await $`git init -q -b main`.cwd(root).quiet()
  for (const name of ['committed', 'staged', 'edited', 'same']) await write(name, 'before')
  await commit()
  await $`git checkout -qb branch`.cwd(root).quiet()
  await write('committed', 'after')
  await commit()
  await write('staged', 'after')
  await $`git add staged`.cwd(root).quiet()
  await write('edited', 'after')
  await write('new', 'after')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('what was committed since the main branch, staged, edited or added has changed', async () => {
  expect((await changedPaths(root))?.sort()).toEqual(['committed', 'edited', 'new', 'staged'])
})

test('what was committed before a revision has not changed since', async () => {
  expect((await changedPaths(root, 'HEAD'))?.sort()).toEqual(['edited', 'new', 'staged'])
})

test('what is not committed has changed where there is no main branch', async () => {
  await $`git branch -m main old`.cwd(root).quiet()
  expect((await changedPaths(root))?.sort()).toEqual(['edited', 'new', 'staged'])
  await $`git branch -m old main`.cwd(root).quiet()
})

test('an unknown revision has no answer', async () => {
  expect(await changedPaths(root, 'nowhere')).toBeUndefined()
})
