import { afterEach, expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { AccountPage } from './account-page'
import { AccountSearch } from './account-search'

afterEach(() => sessionStorage.clear())

const open = async (address: string) => {
  serve({})
  const path = '/app/me'
  return renderConsole(<AccountPage />, { path, address, validateSearch: (search) => AccountSearch.parse(search) })
}

const current = () =>
  screen
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map(({ textContent }) => textContent)

test.each([
  ['/app/me', 'Overview'],
  ['/app/me?tab=tokens', 'Access tokens'],
  ['/app/me?tab=no-such-tab', 'Overview'],
])('the address %p opens only the tab %p', async (address, tab) => {
  await open(address)
  expect(current()).toEqual([tab])
})

test('a tab is a link with an address of its own', async () => {
  const { user, router } = await open('/app/me')
  await user.click(screen.getByRole('link', { name: 'Preferences' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'preferences' }))
  expect(current()).toEqual(['Preferences'])
})
