import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { QuickRangeFilter } from './quick-range-filter'

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

test('the whole time is selected where the address has no range', async () => {
  await renderConsole(<QuickRangeFilter search={{}} onChange={() => {}} />)
  expect(button().textContent).toBe('All time')
})
