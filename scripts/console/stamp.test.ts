import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { sourceStamp } from './stamp'

const sources = [
  'bun.lock',
  'console/index.html',
  'console/package.json',
  'console/vite.config.ts',
  'console/vite/group-chunks.ts',
  'console/public/logo.svg',
  'console/src/app/main.tsx',
  'console/src/locales/zh/common.json',
  'contract/package.json',
  'contract/src/routes/tokens.ts',
  'scripts/build-console.ts',
  'scripts/console/pack.ts',
]
const others = [
  'console/dist/index.html',
  'console/node_modules/vite/package.json',
  'console/src/app/main.test.tsx',
  'console/vite/chunk-plan.test.ts',
  'console/src/route-tree.gen.ts',
  'console/test/dom.ts',
  'gateway/src/main.ts',
]

let root: string

function write(name: string, text: string) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-stamp-'))
  for (const name of [...sources, ...others]) write(name, 'old')
})
afterAll(() => rmSync(root, { recursive: true }))

test.each(sources)('another %s is another console', async (name) => {
  const before = await sourceStamp(root)
  write(name, 'new')
  expect(await sourceStamp(root)).not.toBe(before)
  write(name, 'old')
  expect(await sourceStamp(root)).toBe(before)
})

test('so is one more file', async () => {
  const before = await sourceStamp(root)
  write('console/src/features/new.ts', '')
  expect(await sourceStamp(root)).not.toBe(before)
})

test.each(others)('another %s is not', async (name) => {
  const before = await sourceStamp(root)
  write(name, 'new')
  expect(await sourceStamp(root)).toBe(before)
})
