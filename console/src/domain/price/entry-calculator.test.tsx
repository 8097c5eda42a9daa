import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { EntryCalculator } from './entry-calculator'

test('the lines of a call add up to its total, without output for a model that has none', async () => {
  await renderConsole(<EntryCalculator entry={{ prices: { input: 16 } }} />)
  const texts = (await screen.findAllByRole('row')).map(({ textContent }) => textContent)
  expect(texts).toEqual([expect.stringMatching(/^Input.*\$0\.032$/), 'Total$0.032', '1,000 such calls$32.00'])
})
