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

test.each([
  ['token', 7, 1, [['See the limits of the token', '/app/tokens?limits=5']]],
  ['token', 8, 10, [['See the limits of the token', '/admin/tokens?limits=5']]],
  ['token', 8, 1, []],
  ['user', 7, 1, [['See your limits', '/app/wallet']]],
  ['user', 8, 10, [['See the limits of the user', '/admin/users?limits=8']]],
  ['group', 7, 1, [['See your limits', '/app/wallet']]],
  ['group', 8, 10, [['See the limits of the group', '/admin/settings?page=groups']]],
  ['plan', 7, 1, [['See your plans', '/app/plans']]],
  ['plan', 8, 10, []],
  [undefined, 7, 1, [['See your limits', '/app/wallet']]],
] as const)(
  'a call that a limit of a %s refused, by user %d to role %d, leads to who set it',
  async (owner, userId, ofRole, links) => {
    const limit = { owner, userId, tokenId: 5 }
    await renderConsole(<RefusedHelp code="quota.window" model="m" limit={limit} />, { user: { id: 7, role: ofRole } })
    const shown = screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(shown).toEqual(links.map((link) => [...link]))
  },
)

test('a refusal without a place to mend it has no links', async () => {
  expect(await linksFor('upstream.busy', 100)).toEqual([])
})
