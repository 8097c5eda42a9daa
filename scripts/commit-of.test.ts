import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { commitOf } from './commit-of'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-commit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const git = (...words: readonly string[]) =>
  Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder })

test.if(Bun.which('git') !== null)('the commit of a checkout is found, and whether its files differ from it', () => {
  expect(commitOf(folder)).toBe('')
  git('init', '-q')
  writeFileSync(join(folder, 'a'), '1')
  git('add', 'a')
  git('commit', '-qm', 'first')
  git('tag', 'v1.0.0')
  const commit = git('rev-parse', '--short=12', 'HEAD').stdout.toString().trim()
  expect(commitOf(folder)).toBe(commit)
  writeFileSync(join(folder, 'a'), '2')
  expect(commitOf(folder)).toBe(`${commit}.dirty`)
  // Sources that were unpacked inside of another repository do not have its commit.
  mkdirSync(join(folder, 'inside'))
  expect(commitOf(join(folder, 'inside'))).toBe('')
})
