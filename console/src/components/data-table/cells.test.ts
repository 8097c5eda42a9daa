import { expect, test } from 'bun:test'

import { cellsOf } from './cells'
import type { Column } from './types'

const column = (id: string, under?: string): Column<unknown> => ({ id, title: id, cell: () => id, under })
const idsOf = (columns: readonly Column<unknown>[]) => cellsOf(columns).map((cell) => cell.map(({ id }) => id))

test('a column shares the cell of the one it belongs under', () => {
  expect(idsOf([column('time'), column('ip', 'time'), column('model'), column('channel', 'model')])).toEqual([
    ['time', 'ip'],
    ['model', 'channel'],
  ])
})

test('a column whose host is hidden stands by itself', () => {
  expect(idsOf([column('ip', 'time'), column('model')])).toEqual([['ip'], ['model']])
})
