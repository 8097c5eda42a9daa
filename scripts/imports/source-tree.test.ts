import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SourceTree, type Edge } from './source-tree'

const files = {
  'ground/package.json': JSON.stringify({ name: '@made-up/ground', exports: { '.': './src/index.ts' } }),
  'ground/src/index.ts':
    "export * from './length'\nexport { weight as mass } from './weight'\nexport * as odd from './odd'\n",
  'ground/src/length.ts': "import './weight'\nexport const length = 1\n",
  'ground/src/weight.ts': 'export const weight = 1\n',
  'ground/src/odd.ts': 'export const odd = 1\n',
  'house/door.ts': "import { length } from '@made-up/ground'\n",
  'house/cellar.ts': "import { mass } from '@made-up/ground'\nimport { odd } from '@made-up/ground'\n",
  'house/roof.tsx': "import * as ground from '@made-up/ground'\n",
  'house/wall.ts':
    "import type { Door } from './door'\nimport texts from './texts.json'\nconst roof = import('./roof')\n",
  'house/texts.json': '{}',
  'house/node_modules/other/index.ts': "import '../../door'\n",
}
const root = mkdtempSync(join(tmpdir(), 'tollgate-sources-'))
let tree: SourceTree

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text)
  tree = new SourceTree(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const targets = (path: string) => tree.edgesOf(path).map(({ target }) => target)
const importersOf = (path: string, counts?: (edge: Edge) => boolean) => [...(tree.importers(counts).get(path) ?? [])]

test('a name imported from a package leads to its index and to the file that declares the name', () => {
  expect(targets('house/door.ts')).toEqual(['ground/src/index.ts', 'ground/src/length.ts'])
  expect(targets('house/cellar.ts')).toContain('ground/src/weight.ts')
  expect(targets('house/cellar.ts')).toContain('ground/src/odd.ts')
})

test('a package imported as a whole leads to all that it exports', () => {
  expect(targets('house/roof.tsx').sort()).toEqual([
    'ground/src/index.ts',
    'ground/src/length.ts',
    'ground/src/odd.ts',
    'ground/src/weight.ts',
  ])
})

test('an index imports nothing of what it exports, so that a change of one file reaches those alone who name it', () => {
  expect(targets('ground/src/index.ts')).toEqual([])
  expect(importersOf('ground/src/length.ts')).toEqual(['house/door.ts', 'house/roof.tsx'])
})

test('types, lazy imports and JSON files are edges that can be left out', () => {
  expect(tree.edgesOf('house/wall.ts')).toEqual([
    { target: 'house/door.ts', isType: true, isLazy: false },
    { target: 'house/texts.json', isType: false, isLazy: false },
    { target: 'house/roof.tsx', isType: false, isLazy: true },
  ])
  expect(importersOf('house/door.ts')).toEqual(['house/wall.ts'])
  expect(importersOf('house/door.ts', ({ isType }) => !isType)).toEqual([])
})
