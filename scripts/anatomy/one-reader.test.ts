import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SourceTree } from '../imports/source-tree'
import { oneReaderFiles, type OneReaderFile } from './one-reader'

const long = 'export const line = 1\n'.repeat(250)
const files = {
  'gateway/src/reader.ts':
    "import { detail } from './detail'\nimport { shared } from './shared'\nimport { term } from './terms/term'\n",
  'gateway/src/other.ts': "import { shared } from './shared'\nconst page = import('./page')\n",
  'gateway/src/long.ts': `import { step } from './step'\n${long}`,
  'gateway/src/detail.ts': 'export const detail = 1\n',
  'gateway/src/detail.test.ts': "import { detail } from './detail'\n",
  'gateway/src/shared.ts': 'export const shared = 1\n',
  'gateway/src/page.ts': 'export const page = 1\n',
  'gateway/src/step.ts': 'export const step = 1\n'.repeat(20),
  'gateway/src/terms/term.ts': 'export const term = 1\n',
  'gateway/src/terms/index.ts': "import { line } from './line'\n",
  'gateway/src/terms/line.ts': 'export const line = 1\n',
  'console/src/view.ts': "import { long } from '../../gateway/src/reader'\n",
}
const root = mkdtempSync(join(tmpdir(), 'tollgate-one-reader-'))
let found: Map<string, OneReaderFile>

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text)
  const readme = (folder: string) => (folder === 'gateway/src' ? 'Concepts of their own: `terms/term.ts`, `b.ts`.' : '')
  found = new Map(oneReaderFiles(new SourceTree(root), readme).map((file) => [file.path, file]))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a short file that one source file reads belongs to its reader, whatever tests read', () => {
  expect(found.get('gateway/src/detail.ts')).toEqual({
    path: 'gateway/src/detail.ts',
    reader: 'gateway/src/reader.ts',
    lines: 2,
    mergedLines: 6,
  })
  expect(found.has('gateway/src/shared.ts')).toBe(false)
})

test.each([
  ['loaded lazily', 'gateway/src/page.ts', 'loaded lazily'],
  ['whose reader is long', 'gateway/src/step.ts', 'gateway/src/long.ts would have 273 lines'],
  ['that the README lists', 'gateway/src/terms/term.ts', 'a concept of its README'],
  ['read by a list', 'gateway/src/terms/line.ts', 'an entry of a list'],
  ['read by another package', 'gateway/src/reader.ts', 'read by another package'],
])('a file %s stays', (_what, path, reason) => {
  expect(found.get(path)?.reason).toBe(reason)
})
