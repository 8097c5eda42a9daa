import { expect, test } from 'bun:test'

import { csvLine } from '../response/csv'
import { readCsv } from './read-csv'

test('rows have their line numbers, quoted cells are whole, empty rows are left out', () => {
  const text = '\ufeffa,b\r\n"x, ""y""\nz", 2 \n\n,\n3,'
  expect(readCsv(text)).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '2'] },
    { line: 6, cells: ['3', ''] },
  ])
})

test('what was written is read back', () => {
  const cells = ['=1+1', '-2', 'a"b', 'c,d', 'e\nf', '']
  expect(readCsv(csvLine(cells) + csvLine(['last']))).toEqual([
    { line: 1, cells },
    { line: 3, cells: ['last'] },
  ])
})

test('an empty file, and a quote that is never closed, are read', () => {
  expect(readCsv('')).toEqual([])
  expect(readCsv('a,"b\nc')).toEqual([{ line: 1, cells: ['a', 'b\nc'] }])
})
