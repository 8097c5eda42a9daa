import { expect, test } from 'bun:test'

import { cellsOf, widthClassOf } from './columns'
import type { Column, WidthClass } from './types'

const column = (id: string, stackBelow?: string, ownColumnFrom?: WidthClass): Column<unknown> => ({
  id,
  title: id,
  cell: () => id,
  stackBelow,
  ownColumnFrom,
})
const idsOf = (columns: readonly Column<unknown>[], widthClass: WidthClass = 'wide') =>
  cellsOf(columns, widthClass).map((cell) => cell.map(({ id }) => id))

test('a column shares the cell of its host column', () => {
  expect(idsOf([column('time'), column('ip', 'time'), column('model'), column('channel', 'model')])).toEqual([
    ['time', 'ip'],
    ['model', 'channel'],
  ])
})

test('a column whose host is hidden has a cell of its own', () => {
  expect(idsOf([column('ip', 'time'), column('model')])).toEqual([['ip'], ['model']])
})

test('a column with enough room leaves the shared cell', () => {
  const columns = [column('tokens'), column('cost', 'tokens', 'middle')]
  expect(idsOf(columns, 'narrow')).toEqual([['tokens', 'cost']])
  expect(idsOf(columns, 'middle')).toEqual([['tokens'], ['cost']])
})

test('a column below one that shares a cell joins that cell', () => {
  const columns = [column('time'), column('user', 'time', 'wide'), column('token', 'user')]
  expect(idsOf(columns, 'middle')).toEqual([['time', 'user', 'token']])
  expect(idsOf(columns, 'wide')).toEqual([['time'], ['user', 'token']])
})

test.each([
  [660, 'narrow'],
  [716, 'middle'],
  [1192, 'wide'],
  [0, 'wide'],
] as const)('a table of %d pixels is %s', (width, widthClass) => {
  expect(widthClassOf(width)).toBe(widthClass)
})
