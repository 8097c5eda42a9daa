import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** docs/reliability.md names tests; they are there. */
const folder = join(import.meta.dir, '../docs')
const page = readFileSync(join(folder, 'reliability.md'), 'utf8')
const rows = [...page.matchAll(/^\| ([A-Z]\d+) \|(.*)\|$/gm)].map(([, id = '', rest = '']) => ({ id, rest }))
const citations = rows.flatMap(({ id, rest }) =>
  [...rest.matchAll(/\[((?:[^\][]|\[[^\]]*\])+)\]\(([^)]+)\)/g)].map(([, title = '', file = '']) => ({
    id,
    title,
    file,
  })),
)

test('every row has its own name, in order', () => {
  const ids = rows.map(({ id }) => id)
  const numberIds = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
  const countOf = (letter: string) => ids.filter((id) => id.startsWith(letter)).length
  expect(ids).toEqual(['U', 'C', 'M', 'S', 'L', 'A'].flatMap((letter) => numberIds(letter, countOf(letter))))
  expect(ids.length).toBeGreaterThanOrEqual(49)
})

test.each(rows)('$id names tests that are there', ({ id }) => {
  for (const { title, file } of citations.filter((citation) => citation.id === id)) {
    const path = join(folder, file)
    expect(existsSync(path), `${file} is there`).toBe(true)
    expect(isTitleIn(readFileSync(path, 'utf8'), title), `${file} has a test "${title}"`).toBe(true)
  }
})

test('a title that is only part of another, or in no test, is not taken for one', () => {
  const source = "test('a stream ends', () => {})\ntest.each(names)(\n  'of %s is told',\n  check)\nconst text = 'told'"
  expect(['a stream ends', 'of %s is told', 'a stream', 'told'].map((title) => isTitleIn(source, title))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

/** Whether a test has this title, as it is written: what fills it in later is not looked at. */
const isTitleIn = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    source
      .split(quote + title + quote)
      .slice(0, -1)
      .some(endsInTest),
  )

/** `test(`, `test.concurrent(`, `once(`, or the end of `test.each(…)(`. */
const endsInTest = (before: string): boolean => /\b(?:test|once)(?:\.\w+)*\(\s*$|\)\(\s*$/.test(before.slice(-40))
