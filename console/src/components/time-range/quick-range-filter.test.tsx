import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { QuickRangeFilter } from './quick-range-filter'

const button = () => screen.getByRole('button', { name: /^Time range/ })

test('a quick range replaces the one between two times, and all of the time is no filter', async () => {
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

test('the whole time is shown where an address names none', async () => {
  await renderConsole(<QuickRangeFilter search={{}} onChange={() => {}} />)
  expect(button().textContent).toBe('All time')
})
