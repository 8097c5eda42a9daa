import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { PriceMode } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { EntryDetails } from './entry-details'
import { usePriceText } from './use-price-text'

const open = (mode: PriceMode) =>
  renderConsole(<EntryDetails label="model" entry={{ prices: { input: 1 }, modes: [mode] }} />)

test('a mode of pictures names the size and the quality that it applies to', async () => {
  await open({ name: 'hd-wide', match: { size: '1792x1024', quality: 'hd' }, factor: 2 })
  expect(await screen.findByText('size 1792x1024, quality hd')).toBeTruthy()
})

function Fields() {
  const { fieldName } = usePriceText()
  return <p>{(['input', 'per_call', 'per_image', 'web_search'] as const).map(fieldName).join(', ')}</p>
}

test('the field of a price per unit is named by its unit alone', async () => {
  await renderConsole(<Fields />)
  expect(screen.getByText('Input, Per call, Per image, Web search')).toBeTruthy()
})

test('a mode whose name says when it applies does not say so twice', async () => {
  await open({ name: 'batch', match: { batch: 'true' }, factor: 0.5 })
  expect((await screen.findAllByText(/^batch$/i)).map(({ textContent }) => textContent)).toEqual(['Batch'])
})
