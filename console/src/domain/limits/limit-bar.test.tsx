import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { aStanding } from '../../../test/standing-factory'
import { LimitBar, NearestLimit } from './limit-bar'
import { LimitCell } from './limit-cell'

const bar = () => screen.getByRole('progressbar')

test('a bar says what is left and when the limit resets', async () => {
  const resetsAt = Math.floor(Date.now() / 1000) + 4 * 3600 + 60
  await renderConsole(<LimitBar standing={aStanding({ resets_at: resetsAt })} />)
  expect(screen.getByText('3 of 10 calls left')).toBeTruthy()
  expect(screen.getByText('Resets in 4 hours')).toBeTruthy()
  expect(bar().getAttribute('aria-valuenow')).toBe('70')
})

test.each([
  [{ used: 7 }, 'fine', null],
  [{ used: 8 }, 'near', '80% used'],
  [{ used: 10, remaining: 0 }, 'used', 'Used up'],
  [{ used: 11, remaining: 1 }, 'used', 'Used up, grace applies'],
] as const)('a bar with %j used is %s, in words as well', async (fields, level, words) => {
  const { container } = await renderConsole(<LimitBar standing={aStanding(fields)} />)
  expect(container.querySelector('[data-level]')?.getAttribute('data-level')).toBe(level)
  expect(screen.queryByText(/used/i)?.textContent ?? null).toBe(words)
})

test('money is shown as the site shows it', async () => {
  await renderConsole(<LimitBar standing={aStanding({ measure: 'quota', used: 2_000_000, limit: 2_500_000 })} />)
  expect(screen.getByText('$1.00 of $5.00 left')).toBeTruthy()
})

test('calls at the same time have no bar, since nothing of them is used up', async () => {
  await renderConsole(<LimitBar standing={aStanding({ measure: 'concurrent', used: 0, limit: 5, resets_at: null })} />)
  expect(screen.getByText('At most 5 calls at the same time')).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('a cell shows the limit of which the largest share is used, and how many others there are', async () => {
  const standings = [
    aStanding(),
    aStanding({ id: 2, name: 'Monthly', limit: 100, used: 95 }),
    aStanding({ id: 3, name: 'At once', measure: 'concurrent' }),
  ]
  await renderConsole(<NearestLimit standings={standings} />)
  expect(screen.getByText('5 of 100 calls left')).toBeTruthy()
  expect(screen.getByText('+1')).toBeTruthy()
  expect(bar().getAttribute('aria-valuenow')).toBe('95')
})

test('a cell rounds large numbers', async () => {
  await renderConsole(<NearestLimit standings={[aStanding({ measure: 'tokens', limit: 2_000_000, used: 200_000 })]} />)
  expect(screen.getByText('1.8M of 2M left')).toBeTruthy()
})

test.each([[[]], [[aStanding({ measure: 'concurrent' })]], [[aStanding({ owner: 'group', used: 0 })]]])(
  'a cell without a limit that is counted is empty: %j',
  async (standings) => {
    await renderConsole(<LimitCell standings={standings} />)
    expect(screen.queryByRole('progressbar')).toBeNull()
  },
)
