import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { areasOf } from '../../console/vite/areas-of'
import { buildConsole } from '../build-console'
import { budget, builtFiles, tooHeavy, weigh, weightLine } from './budget'
import { filesOf, readManifest, type Manifest } from './manifest'

const routes = join(import.meta.dir, '../../console/src/routes')
const built = join(import.meta.dir, '../../console/dist')

/** The heaviest of the texts that a page chooses from by its address. */
const chosenTexts: Readonly<Record<string, readonly string[]>> = { 'admin.settings': ['options-accounts'] }

/** Every page, with the texts it needs beside those of every page. */
const pages = readdirSync(routes).flatMap((file) => {
  const source = readFileSync(join(routes, file), 'utf8')
  const page = file.replace('.tsx', '')
  const texts = areasOf(source).flatMap((area) => [area, ...(chosenTexts[page] ?? [])])
  return /^ +component:|, component:/m.test(source) && file !== '__root.tsx' ? [{ page, texts }] : []
})

describe('the first load', () => {
  beforeAll(buildConsole, 120_000)

  test.each(pages)('first load of $page is within the budget', ({ page, texts }) => {
    const sources = [
      'index.html',
      `src/routes/${page}.tsx?tsr-split=component`,
      'src/app/first-texts/en.ts',
      ...texts.map((area) => `src/locales/en/${area}.json`),
    ]
    const weight = weigh(builtFiles(built), filesOf(readManifest(built), sources))
    console.log(weightLine(page, weight))
    expect(weight.script).toBeGreaterThan(50_000)
    expect(weight.style).toBeGreaterThan(5000)
    expect(tooHeavy(page, weight)).toBeNull()
  })
})

describe('the files of a page', () => {
  const chunk = (file: string, imports: string[] = [], css: string[] = []) => ({ file, imports, css })
  const manifest: Manifest = {
    'index.html': chunk('a/index.js', ['_shared.js'], ['a/index.css']),
    '_shared.js': chunk('a/shared.js', ['_shared.js', 'index.html'], ['a/shared.css']),
    page: chunk('a/page.js', ['_shared.js']),
    other: chunk('a/other.js'),
  }

  test('files of a page are those of its sources and of all their imports, once each', () => {
    expect([...filesOf(manifest, ['index.html', 'page'])].sort()).toEqual([
      'a/index.css',
      'a/index.js',
      'a/page.js',
      'a/shared.css',
      'a/shared.js',
    ])
  })

  test('a missing source is an error', () => {
    expect(() => filesOf(manifest, ['gone'])).toThrow('gone')
  })
})

describe('a page', () => {
  const file = (name: string, gzip: number) => ({ name, bytes: gzip * 3, hash: '', encoded: { gzip } })
  const files = [file('large.js', budget.script), file('small.js', 1), file('a.css', budget.style), file('b.css', 1)]

  test('a page that weighs exactly the budget is accepted', () => {
    expect(tooHeavy('/', weigh(files, ['large.js', 'a.css', 'a.css']))).toBeNull()
  })

  test.each([[['large.js', 'small.js']], [['a.css', 'b.css']]])('of %p is too heavy, and says why', (names) => {
    const message = tooHeavy('/there', weigh(files, names)) ?? ''
    expect(message).toContain('/there')
    for (const name of names) expect(message).toContain(name)
  })
})
