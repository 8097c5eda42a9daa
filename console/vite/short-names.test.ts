import { expect, test } from 'bun:test'

import { shortNames } from './short-names'

test('every class of every file has a distinct and stable name', () => {
  const nameOf = shortNames('/app')
  const requests = Array.from({ length: 400 }, (_, file) => `/app/src/page-${file}.module.css`).flatMap((file) =>
    ['row', 'cell'].map((name) => [name, file] as const),
  )
  const names = requests.map(([name, file]) => nameOf(name, file))
  expect(new Set(names).size).toBe(requests.length)
  expect(requests.map(([name, file]) => nameOf(name, `${file}?used`))).toEqual(names)
  for (const name of names) expect(name).toMatch(/^[a-z]{3}\d+$/)
})

test('the folder of the checkout makes no difference', () => {
  expect(shortNames('/one')('row', '/one/a.module.css')).toBe(shortNames('/two')('row', '/two/a.module.css'))
})
