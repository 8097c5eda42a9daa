import { expect, test } from 'bun:test'
import { fireEvent, screen } from '@testing-library/react'
import { ApiError } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { DataTable } from './data-table'
import type { Column, DataTableProps } from './types'

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
    empty={{ title: 'No fruit yet' }}
    {...props}
  />
)

test('rows and heads are drawn in order', async () => {
  await renderConsole(table({}))
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Price'])
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['NamePrice', 'Apple3', 'Pear5'])
})

test('an empty list says why and offers the next step', async () => {
  await renderConsole(
    table({ source: { ...settled, rows: [] }, empty: { title: 'No fruit yet', hint: 'Plant a tree' } }),
  )
  expect(screen.getByText('Plant a tree')).toBeTruthy()
})

test('an empty list with filters offers to clear them', async () => {
  let cleared = 0
  const { user } = await renderConsole(
    table({ source: { ...settled, rows: [] }, onClearFilters: () => (cleared += 1) }),
  )
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(cleared).toBe(1)
})

test('a failed list shows the sentence and the request id, and can be tried again', async () => {
  let tries = 0
  const error = new ApiError('The database is away', 200, 'db.down', 'req-7')
  const { user } = await renderConsole(
    table({ source: { ...settled, rows: undefined, error, onRetry: () => (tries += 1) } }),
  )
  expect(screen.getByText('The database is away')).toBeTruthy()
  expect(screen.getByText('Request ID req-7')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(tries).toBe(1)
})

test('J and K walk through the rows, Enter opens one', async () => {
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

test('the pager says what is shown and asks for the next page', async () => {
  const asked: number[][] = []
  const { user } = await renderConsole(
    table({ paging: { page: 1, size: 10, total: 57, onChange: (...page) => asked.push(page) } }),
  )
  expect(screen.getByText('Items 1 - 10 of 57')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(asked).toEqual([[2, 10]])
})
