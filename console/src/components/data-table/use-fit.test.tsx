import { afterEach, beforeEach, expect, test } from 'bun:test'
import { act, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { DataTable } from './data-table'
import type { Column } from './types'

interface Row {
  readonly id: number
}

const column = (id: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  title: id,
  cell: () => id,
  ...more,
})
const columns = [
  column('name', { isFixed: true }),
  column('first', { hiddenBelow: 'wide' }),
  column('middle', { hiddenBelow: 'middle' }),
  column('last', { hiddenBelow: 'wide' }),
  column('below', { stackBelow: 'last', hiddenBelow: 'wide' }),
]

const columnWidth = 100
let frameWidth = 0
/** Width of what arrived after the rows were drawn. */
let lateWidth = 0

/** There is no layout here: each column is as wide as the next, and the frame as the test says. */
const sizes = {
  clientWidth: () => frameWidth,
  offsetWidth: () => columnWidth,
  scrollWidth: (element: HTMLElement) =>
    element.querySelectorAll('th[data-column]').length * columnWidth +
    lateWidth -
    (element.querySelector('table[data-is-tight]') ? columnWidth / 2 : 0),
} as const
const real = Object.keys(sizes).map(
  (name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const,
)

beforeEach(() => {
  for (const [name, size] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return size(this)
      },
    })
})
afterEach(() => {
  localStorage.clear()
  for (const [name, descriptor] of real)
    if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor)
    else Reflect.deleteProperty(HTMLElement.prototype, name)
})

async function heads(width: number) {
  frameWidth = width
  const source = { rows: [{ id: 1 }], isPending: false, error: null, onRetry: () => {} }
  const empty = { title: '', hint: '', action: null }
  await renderConsole(
    <DataTable
      id="fit"
      label="Rows"
      columns={columns}
      source={source}
      rowKey={({ id }) => String(id)}
      rowActions={() => 'act'}
      empty={empty}
    />,
  )
  // They are measured before the next paint.
  await act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())))
  return headsNow()
}

const headsNow = () =>
  screen
    .getAllByRole('columnheader')
    .map((head) => head.getAttribute('data-column'))
    .filter(Boolean)

test.each([
  [400, ['name', 'first', 'middle', 'last']],
  [399, ['name', 'first', 'middle', 'last']],
  [350, ['name', 'first', 'middle']],
  [250, ['name', 'middle']],
  [150, ['name']],
])(
  'in a frame of %i pixels the columns that fit stay, and those that need the most widthClass leave first',
  async (width, shown) => {
    expect(await heads(width)).toEqual(shown)
  },
)

test.each([
  [100, false],
  [98, true],
  [40, true],
])('wide columns shrink in a frame of %i pixels, as no other can leave: %p', async (width, isTight) => {
  expect(await heads(width)).toEqual(['name'])
  expect(screen.getByRole('table').hasAttribute('data-is-tight')).toBe(isTight)
})

test('a column leaves when content that arrives late widens the table', async () => {
  const resized = new Map<Element, () => void>()
  const real = globalThis.ResizeObserver
  globalThis.ResizeObserver = class extends real {
    readonly #report: () => void
    constructor(report: ResizeObserverCallback) {
      super(report)
      this.#report = () => report([], this)
    }
    override observe(element: Element) {
      resized.set(element, this.#report)
      this.#report()
    }
  }
  try {
    expect(await heads(400)).toEqual(['name', 'first', 'middle', 'last'])
    lateWidth = 50
    resized.get(screen.getByRole('table'))?.()
    await waitFor(() => expect(headsNow()).toEqual(['name', 'first', 'middle']))
  } finally {
    globalThis.ResizeObserver = real
    lateWidth = 0
  }
})

test('a column that the reader chose stays, and others leave in its place', async () => {
  localStorage.setItem('fit-table-columns', JSON.stringify({ order: [], shown: { last: true } }))
  expect(await heads(350)).toEqual(['name', 'middle', 'last'])
})
