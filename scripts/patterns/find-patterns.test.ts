import { expect, test } from 'bun:test'

import { findPatterns } from './find-patterns'
import { classify, type Judgement } from './judge'

test('literals and patterns built at run time are found, regular expressions in texts are not', () => {
  const source =
    "const a = 'x/y/g'\nconst b = a.replace(/a+$/gi, '')\nconst c = new RegExp(a)\nconst d = RegExp(`^${a}`)\n"
  expect(findPatterns('a.ts', source)).toEqual([
    { text: '/a+$/gi', literal: { source: 'a+$', flags: 'gi' }, line: 2 },
    { text: 'new RegExp(a)', literal: null, line: 3 },
    { text: 'RegExp(`^${a}`)', literal: null, line: 4 },
  ])
})

test.each<[string, Judgement['growth']]>([
  ['^[a-z]+$', 'linear'],
  ['^(?:\\r\\n|\\r|\\n)*$', 'super-linear'],
  ['^(\\w+):[ \\t]*(.*?)[ \\t]*$', 'super-linear'],
])('the growth of %s is %s', async (source, growth) => {
  expect((await classify({ source, flags: '' })).growth).toBe(growth)
})
