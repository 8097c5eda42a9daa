import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { csvLine, readCsv } from './csv'

test.each([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  [' spaced ', '" spaced "'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', '-1'],
  ['-14.60', '-14.60'],
  ['-1+1', "'-1+1"],
  ['-1.', "'-1."],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ['\0=1', "'\0=1"],
  ['\uFEFF=1', "'\uFEFF=1"],
  ['\u200B@x', "'\u200B@x"],
  [' -1', "' -1"],
  ["'quoted'", "'quoted'"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a=1', 'a=1'],
])('the value %j is written as the cell %j', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`)
})

test('numbers and booleans are written without an apostrophe', () => {
  expect(csvLine([-5, 0, true, 'x'])).toBe('-5,0,true,x\r\n')
})

test('rows have their line numbers, quoted cells are whole, empty rows are left out', () => {
  const text = '\ufeffa,b\r\n"x, ""y""\nz", 2 \n\n,\n3,'
  expect(readCsv(text)).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '2'] },
    { line: 6, cells: ['3', ''] },
  ])
})

test('any text survives writing and reading', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab \'"=+-@＝\t\r\n,;1\0\uFEFF\u200B')) })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      expect(readCsv(csvLine(['first', ...cells])).map((row) => row.cells)).toEqual([['first', ...cells]])
    }),
  )
})

test('an empty file has no rows, and a quote that is never closed continues to the end', () => {
  expect(readCsv('')).toEqual([])
  expect(readCsv('a,"b\nc')).toEqual([{ line: 1, cells: ['a', 'b\nc'] }])
})
