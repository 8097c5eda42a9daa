import { expect, test } from 'bun:test'
import { act, screen, waitFor } from '@testing-library/react'
import { useSearch } from '@tanstack/react-router'

import { renderConsole } from '../../../test/render'
import { RouteTabs } from './route-tabs'

const names = ['log', 'monitor', 'routing'] as const

function Page() {
  const page: string | undefined = useSearch({ strict: false }).page?.toString()
  return (
    <RouteTabs
      label="Pages"
      current={names.find((name) => name === page) ?? 'log'}
      tabs={names.map((name) => ({
        name,
        label: name,
        // The first is the address without search parameters.
        link: { to: '/admin/settings', search: (name === 'log' ? {} : { page: name }) as never },
      }))}
    />
  )
}

const current = () =>
  Array.from(document.querySelectorAll('[aria-current="page"]'), ({ textContent }) => textContent).join()

test('each tab has an address, and back returns to the previous one', async () => {
  const { user, router } = await renderConsole(<Page />, { path: '/admin/settings', address: '/admin/settings' })
  expect(current()).toBe('log')
  await user.click(screen.getByRole('link', { name: 'routing' }))
  await waitFor(() => expect(current()).toBe('routing'))
  expect(router.state.location.search).toEqual({ page: 'routing' })
  act(() => router.history.back())
  await waitFor(() => expect(current()).toBe('log'))
})

test('arrow keys cycle through the tabs, and Enter opens one', async () => {
  const { user } = await renderConsole(<Page />, { path: '/admin/settings', address: '/admin/settings' })
  await user.tab()
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement?.textContent).toBe('routing')
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await waitFor(() => expect(current()).toBe('monitor'))
})
