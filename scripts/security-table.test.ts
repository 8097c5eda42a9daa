import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Rows end with a test: `| … | … | `file`: title |`. */
const rows = async () =>
  Array.from(
    (await Bun.file(`${root}/docs/security.md`).text()).matchAll(/^\|.*\| `([\w./-]+\.test\.ts)`: (.+) \|$/gm),
    ([, file = '', title = '']) => ({ file, title: title.trim() }),
  )

test('every attack of docs/security.md names a test that exists', async () => {
  const named = await rows()
  expect(named.length).toBeGreaterThan(40)
  const missing: string[] = []
  for (const { file, title } of named) {
    const code = await Bun.file(`${root}/${file}`).text()
    // Keys of a table of cases are titles, too.
    if (!code.includes(`'${title}'`)) missing.push(`${file}: ${title}`)
  }
  expect(missing).toEqual([])
})
