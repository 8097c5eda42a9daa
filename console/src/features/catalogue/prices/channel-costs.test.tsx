import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aPriceRow } from '../../../../test/price-factory'
import { renderConsole } from '../../../../test/render'
import { ChannelCosts } from './channel-costs'

test.each([
  [1, /neither its list price nor a cost is known/],
  [0, /No channel serves this model/],
])('a model that %p channels serve without known costs says so', async (channels, text) => {
  await renderConsole(<ChannelCosts row={{ ...aPriceRow({ channels }), costs: [] }} canWrite />)
  expect(await screen.findByText(text)).toBeTruthy()
})
