import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { readTime } from './range-dialog'
import { QuickRangeFilter } from './quick-range-filter'

/** The marked items of the open menu. */
const chosenNames = async () => {
  const items = await screen.findAllByRole('menuitem')
  return items.filter((item) => item.querySelector('svg') !== null).map(({ textContent }) => textContent)
}

const button = () => screen.getByRole('button', { name: /^Time range/ })

test('a quick range replaces a custom one, and the whole time sets no filter', async () => {
  const changes: unknown[] = []
  const { user } = await renderConsole(
    <QuickRangeFilter
      search={{ from: 1_700_000_000, to: 1_700_086_400 }}
      onChange={(change) => changes.push(change)}
    />,
  )
  for (const name of ['Last 7 days', 'All time']) {
    await user.click(button())
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  expect(changes).toEqual([
    { range: 'week', from: undefined, to: undefined },
    { range: undefined, from: undefined, to: undefined },
  ])
})

test.each([
  [{ from: readTime('2025-03-01') }, '2025-03-01 – now'],
  [{ to: readTime('2025-03-02', { isEnd: true }) }, 'beginning – 2025-03-02'],
])('a range with one open end is a custom one: %j', async (search, text) => {
  const { user } = await renderConsole(<QuickRangeFilter search={search} onChange={() => {}} />)
  expect(button().textContent).toBe(text)
  await user.click(button())
  expect(await chosenNames()).toEqual(['Custom range…'])
})

test('the whole time is selected where the address has no range', async () => {
  await renderConsole(<QuickRangeFilter search={{}} onChange={() => {}} />)
  expect(button().textContent).toBe('All time')
})
