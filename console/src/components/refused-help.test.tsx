import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { RefusedHelp } from './refused-help'

const linksFor = async (code: string, role: number) => {
  const { unmount } = await renderConsole(<RefusedHelp code={code} model="acme-1" />, { user: { role } })
  const links = screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  unmount()
  return links
}

test('a call without a price leads an administrator to the price and to the switch, and a user to the switch', async () => {
  expect(await linksFor('model.unpriced', 100)).toEqual([
    ['Set a price', '/admin/prices?edit=acme-1'],
    ['Allow models without a price', '/app/me?tab=preferences'],
  ])
  expect(await linksFor('model.unpriced', 1)).toEqual([['Allow models without a price', '/app/me?tab=preferences']])
})

test.each([
  ['model_not_found', '/admin/channels?edit=new'],
  ['route.no_channel', '/admin/routing?model=acme-1'],
  ['insufficient_quota', '/app/wallet'],
  ['invalid_api_key', '/app/tokens'],
])('a call refused with %s leads to %s', async (code, place) => {
  expect((await linksFor(code, 100))[0]?.[1]).toBe(place)
})

test('a refusal without a place to mend it has no links', async () => {
  expect(await linksFor('upstream.busy', 100)).toEqual([])
})
