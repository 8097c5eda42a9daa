import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { Glob } from 'bun'

/** Every link between documents leads to a file, and to a heading in it where it names one. */
const documents = [
  '*.md',
  '{docs,bench,contract,models,dialects,providers,http-client,gateway,console,simulator,e2e,scripts,deploy}/**/*.md',
]
  .flatMap((pattern) => [...new Glob(pattern).scanSync('.')])
  .filter((file) => !/node_modules|\/dist\//.test(file))

/** A link or an image in Markdown, or the definition of a link that is used by its name. */
const link = /\]\(<?([^()\s<>]+)>?\)|^\[[^\]]+\]: (\S+)$/gm

const texts = new Map<string, string>()
const headings = new Map<string, ReadonlySet<string>>()

/** Returns a document without what is printed as it is: blocks and spans of code. */
function proseOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, 'utf8').replaceAll(/^( *)```[^]*?^\1```$/gm, '')
  texts.set(file, text)
  return text
}

/** Returns the anchors of a document's headings, as GitHub makes them; a repeated heading gets a number. */
function anchorsOf(file: string): ReadonlySet<string> {
  const known = headings.get(file)
  if (known !== undefined) return known
  const anchors = new Set<string>()
  for (const [, title = ''] of proseOf(file).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    let name = anchor
    for (let again = 1; anchors.has(name); again++) name = `${anchor}-${again}`
    anchors.add(name)
  }
  headings.set(file, anchors)
  return anchors
}

/** Returns what is wrong with a link of a document, or nothing. */
function faultOf(file: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  const full = path === '' ? file : join(dirname(file), decodeURIComponent(path))
  if (!existsSync(full)) return `${target}: there is no such file`
  if (anchor !== undefined && full.endsWith('.md') && !anchorsOf(full).has(anchor))
    return `${target}: there is no such heading`
  return undefined
}

test('blocks of code begin and end on lines of their own', () => {
  const faults = documents.filter((file) => {
    const fences = readFileSync(file, 'utf8').match(/^ *```.*$/gm) ?? []
    return fences.length % 2 === 1 || fences.some((fence) => !/^ *```[\w-]*$/.test(fence))
  })
  expect(faults).toEqual([])
})

const records = [...new Glob('0*.md').scanSync('docs/decisions')]

test('the index of decisions lists every record', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8')
  expect(records.filter((record) => !index.includes(`](${record})`))).toEqual([])
})

/** Code, comments and settings that send a reader to a document. */
const sources =
  '{contract,models,dialects,providers,http-client,gateway,console,simulator,bench,e2e,scripts,deploy}/**/*.{ts,tsx,css,json,yaml,yml,conf,service}'

test('every document that code names exists, with the heading it names', () => {
  const faults: string[] = []
  for (const file of new Glob(sources).scanSync('.')) {
    if (/node_modules|\/dist\//.test(file)) continue
    const text = readFileSync(file, 'utf8')
    for (const [target] of text.matchAll(/(?<![\w./-])docs\/[\w/.-]+\.md(?:#[\w-]+)?/g)) {
      const fault = faultOf('./README.md', target)
      if (fault !== undefined) faults.push(`${file}: ${fault}`)
    }
    for (const [named, number = ''] of text.matchAll(/\bdecisions?[/ ](\d{4})\b/gi)) {
      if (!records.some((record) => record.startsWith(number)))
        faults.push(`${file}: ${named}: there is no such decision`)
    }
  }
  expect(faults).toEqual([])
})

test('every relative link and anchor of the documents resolves', () => {
  const faults = documents.flatMap((file) => {
    const prose = proseOf(file).replaceAll(/`[^`\n]*`(?!\])/g, '')
    const targets = Array.from(prose.matchAll(link), ([, inline, named]) => inline ?? named ?? '')
    return targets.flatMap((target) => faultOf(file, target) ?? []).map((fault) => `${file}: ${fault}`)
  })
  expect(documents.length).toBeGreaterThan(20)
  expect(faults).toEqual([])
})
