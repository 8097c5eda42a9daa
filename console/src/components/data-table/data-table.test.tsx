import { expect, test } from 'bun:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { aPhone } from '../../../test/narrow-window'
import { renderConsole } from '../../../test/render'
import { DataTable } from './data-table'
import type { Column, DataTableProps } from './types'
import { useList } from './use-list'
import { useRowExpansion } from './row-controls'

interface Fruit {
  readonly id: number
  readonly name: string
  readonly price: number
}

const fruits: readonly Fruit[] = [
  { id: 1, name: 'Apple', price: 3 },
  { id: 2, name: 'Pear', price: 5 },
]
const columns: readonly Column<Fruit>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name, isFixed: true },
  { id: 'price', title: 'Price', cell: ({ price }) => price, align: 'end' },
]

const settled = { isPending: false, error: null, onRetry: () => {} }

const table = (props: Partial<DataTableProps<Fruit>>) => (
  <DataTable
    id="fruit"
    label="Fruit"
    columns={columns}
    source={{ ...settled, rows: fruits }}
    rowKey={({ id }) => String(id)}
    empty={{ title: 'No fruit yet', hint: 'Plant a tree', action: <button type="button" aria-label="Plant" /> }}
    {...props}
  />
)

test('rows and column heads are rendered in order', async () => {
  await renderConsole(table({}))
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Price'])
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['NamePrice', 'Apple3', 'Pear5'])
})

test('a column is widened by arrow keys, keeps its width, and fits its content again', async () => {
  const { user, unmount } = await renderConsole(table({}))
  const grip = () => screen.getByRole('separator', { name: 'Width of the column Price' })
  const heldWidth = () => screen.getAllByRole('cell')[1]?.style.width
  expect(grip().getAttribute('aria-valuetext')).toBe('As wide as its content')
  act(() => grip().focus())
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
  const width = heldWidth()
  expect(width).toMatch(/^\d+px$/)
  expect(grip().getAttribute('aria-valuetext')).toBe(`${Number.parseInt(width ?? '')} pixels`)
  unmount()
  await renderConsole(table({}))
  expect(heldWidth()).toBe(width)
  act(() => grip().focus())
  await user.keyboard('{Enter}')
  expect(heldWidth()).toBe('')
})

test('dragging a column edge neither sorts nor opens a row, and a double click fits the content', async () => {
  const sorted: string[] = []
  const { user } = await renderConsole(
    table({
      columns: columns.map((column) => ({ ...column, isSortable: true })),
      sorting: { column: undefined, isDescending: false, onChange: (id) => sorted.push(id) },
    }),
  )
  const grip = screen.getByRole('separator', { name: 'Width of the column Name' })
  await user.pointer([
    { keys: '[MouseLeft>]', target: grip, coords: { clientX: 100 } },
    { target: grip, coords: { clientX: 340 } },
    { keys: '[/MouseLeft]', target: grip },
  ])
  expect(screen.getByText('Apple').style.width).toBe('240px')
  expect(sorted).toEqual([])
  await user.dblClick(grip)
  expect(screen.getByText('Apple').style.width).toBe('')
})

test('an empty list explains itself and offers the next step', async () => {
  await renderConsole(table({ source: { ...settled, rows: [] } }))
  expect(screen.getByText('Plant a tree')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Plant' })).toBeTruthy()
})

test('an empty list with filters offers to clear them', async () => {
  let cleared = 0
  const { user } = await renderConsole(
    table({ source: { ...settled, rows: [] }, onClearFilters: () => (cleared += 1) }),
  )
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(cleared).toBe(1)
})

test('a failed list shows the sentence and the request id, and can be retried', async () => {
  let tries = 0
  const error = new ApiError('The database is away', 200, 'db.down', 'req-7')
  const { user } = await renderConsole(
    table({ source: { ...settled, rows: undefined, error, onRetry: () => (tries += 1) } }),
  )
  expect(screen.getByText('The database is away')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy the request ID' }).textContent).toBe('Request ID req-7')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(tries).toBe(1)
})

test('J and K move through the rows, Enter opens one', async () => {
  const opened: string[] = []
  await renderConsole(table({ onOpen: ({ name }) => opened.push(name) }))
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(document.activeElement?.textContent).toBe('Apple3')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' })
  expect(document.activeElement?.textContent).toBe('Pear5')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k' })
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter' })
  expect(opened).toEqual(['Apple'])
})

test('a selection opens the bulk bar with the selected rows', async () => {
  const { user } = await renderConsole(
    table({
      selection: {
        selected: new Set(['2']),
        onChange: () => {},
        actions: (rows) => <button type="button">{rows.map(({ name }) => name).join()}</button>,
      },
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Pear' }))
  expect(screen.getByText('1 selected')).toBeTruthy()
})

test('hidden columns stay hidden for the next visit', async () => {
  const { user, unmount } = await renderConsole(table({}))
  await user.click(screen.getByRole('button', { name: 'Column settings' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Price' }))
  unmount()
  await renderConsole(table({}))
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name'])
})

test('the pager shows the current range and requests the next page', async () => {
  const requests: number[][] = []
  const { user } = await renderConsole(
    table({ paging: { page: 1, size: 10, total: 57, onChange: (...page) => requests.push(page) } }),
  )
  expect(screen.getByText('Items 1 - 10 of 57')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(requests).toEqual([[2, 10]])
})

test('the pager comes with the rows, and is absent for an empty list', async () => {
  const paging = { page: 1, size: 10, total: 0, onChange: () => {} }
  const { unmount } = await renderConsole(table({ source: { ...settled, rows: undefined, isPending: true }, paging }))
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull()
  unmount()
  await renderConsole(table({ source: { ...settled, rows: [] }, paging }))
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull()
})

test('a row expands to its details, only where there are some', async () => {
  const { user } = await renderConsole(<RowExpansion />)
  const [expand, ...others] = screen.getAllByRole('button', { name: 'Expand row' })
  expect(others).toEqual([])
  await user.click(expand ?? document.body)
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'NamePrice',
    'Apple3',
    'Grown in Kent',
    'Pear5',
  ])
  await user.click(screen.getByRole('button', { expanded: true }))
  expect(screen.queryByText('Grown in Kent')).toBeNull()
})

function RowExpansion() {
  const expansion = useRowExpansion()
  return table({
    expansion: { ...expansion, canExpand: ({ name }) => name === 'Apple', content: () => 'Grown in Kent' },
  })
}

test('the first row of a section is preceded by its name', async () => {
  const rows = [...fruits, { id: 3, name: 'Plum', price: 5 }]
  await renderConsole(table({ source: { ...settled, rows }, sectionOf: ({ price }) => (price > 4 ? 'Dear' : 'Cheap') }))
  const lines = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(lines).toEqual(['NamePrice', 'Cheap', 'Apple3', 'Dear', 'Pear5', 'Plum5'])
})

test('sums are aligned with their columns', async () => {
  await renderConsole(
    table({
      sums: { label: 'Both', cells: { price: 8 } },
      rowActions: () => <button type="button" aria-label="Eat" />,
    }),
  )
  const last = screen.getAllByRole('row').at(-1)
  expect([...(last?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['Both', '8', ''])
})

test('a click on a column sorts the rows of the page, the third click restores their order', async () => {
  const { user } = await renderConsole(<Sorted />)
  const price = screen.getByRole('button', { name: 'Price' })
  await user.click(price)
  expect(names()).toEqual(['Pear', 'Apple', 'Quince'])
  expect(screen.getByRole('columnheader', { name: 'Price' }).getAttribute('aria-sort')).toBe('descending')
  await user.click(price)
  expect(names()).toEqual(['Apple', 'Pear', 'Quince'])
  await user.click(price)
  expect(names()).toEqual(['Quince', 'Apple', 'Pear'])
})

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent)

function Sorted() {
  const [search, setSearch] = useState<{ readonly sort?: string; readonly descending?: boolean }>({})
  return table({
    source: { ...settled, rows: [{ id: 3, name: 'Quince', price: Number.NaN }, ...fruits] },
    columns: columns.map((column) =>
      column.id === 'price' ? { ...column, sortBy: ({ price }) => (Number.isNaN(price) ? undefined : price) } : column,
    ),
    sorting: useList(search, setSearch, { sorts: ['price'], noFilters: {} }).tableOf(3).sorting,
  })
}

test('a selection covers the filters without moving the rows, and highlights its rows', async () => {
  await renderConsole(
    table({
      toolbar: <input aria-label="Search" />,
      selection: { selected: new Set(['2']), onChange: () => {}, actions: () => null },
    }),
  )
  const bar = screen.getByRole('region', { name: 'Actions for the selected rows' })
  expect(bar.parentElement?.contains(screen.getByLabelText('Search'))).toBe(true)
  expect(screen.getByRole('row', { name: /Pear/ }).hasAttribute('data-is-picked')).toBe(true)
  expect(screen.getByRole('row', { name: /Apple/ }).hasAttribute('data-is-picked')).toBe(false)
})

test('a phone card has a first line, a second line of shared values, and lines of its own', async () => {
  using _phone = aPhone()
  // The cards load on phones only.
  await act(async () => {
    await renderConsole(
      table({
        columns: [
          { id: 'name', title: 'Name', cell: ({ name }) => name, card: 'title' },
          { id: 'price', title: 'Price', cell: ({ price }) => price, card: 'trailing' },
          { id: 'id', title: 'Number', cell: ({ id }) => id, card: 'fact' },
          { id: 'note', title: 'Note', cell: () => 'ripe' },
          { id: 'hidden', title: 'Hidden', cell: () => 'unseen', card: 'hidden' },
        ],
      }),
    )
  })
  const [card] = await screen.findAllByRole('listitem')
  expect([...(card?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['Apple3', 'Number1', 'Noteripe'])
})
