import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { OnboardingChecklist } from './onboarding-checklist'

const page = 'page'
const list = (items: readonly object[]) => () => ({ items, page: 1, page_size: 10, total: items.length })

test('an administrator is led to the first missing step', async () => {
  const channel = { test_time: 0 }
  const calls = serve({
    'GET /api/channel': list([channel]),
    'GET /api/token': list([]),
    'GET /api/log/self': list([]),
  })
  const { queryClient } = await renderConsole(<OnboardingChecklist>{page}</OnboardingChecklist>, {
    user: { role: 100 },
  })
  expect(await screen.findByText('1 / 4')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to channels' }).getAttribute('href')).toBe('/admin/channels')
  // It is read every few seconds: one row tells whether any channel was tested.
  const requests = calls.find(({ path }) => path === '/api/channel')
  expect(requests?.query).toEqual({ p: '1', page_size: '1', sort: 'response', descending: 'true' })
  channel.test_time = 1_700_000_000
  await queryClient.invalidateQueries()
  expect(await screen.findByRole('link', { name: 'Create a token' })).toBeTruthy()
})

test('a user needs a token and a call, and the list can be hidden for good', async () => {
  serve({ 'GET /api/token': list([]), 'GET /api/log/self': list([]) })
  const { user, unmount } = await renderConsole(<OnboardingChecklist>{page}</OnboardingChecklist>)
  expect(await screen.findByText('0 / 2')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Hide this list' }))
  expect(screen.queryByText('0 / 2')).toBeNull()
  unmount()
})

test('a reader who has made calls before does not see the list, nor are its other steps read', async () => {
  const calls = serve({ 'GET /api/log/self': list([{}]) })
  const { container } = await renderConsole(<OnboardingChecklist>{page}</OnboardingChecklist>)
  await waitFor(() => expect(calls).toHaveLength(1))
  await waitFor(() => expect(localStorage.getItem('onboarding-dismissed')).toBe('true'))
  expect(container.querySelector('ol')).toBeNull()
})

test('the page is drawn once it is known whether the list is above it', async () => {
  const response = Promise.withResolvers<object>()
  serve({ 'GET /api/token': list([]), 'GET /api/log/self': () => response.promise })
  await renderConsole(<OnboardingChecklist>{page}</OnboardingChecklist>)
  expect(screen.queryByText('page')).toBeNull()
  response.resolve(list([])())
  expect(await screen.findByText('page')).toBeTruthy()
  expect(await screen.findByText('0 / 2')).toBeTruthy()
})

test('the list ends with a word when the last step is done, until the reader hides it', async () => {
  const rows: object[] = []
  serve({ 'GET /api/token': list([{}]), 'GET /api/log/self': () => list(rows)() })
  const { user, queryClient } = await renderConsole(<OnboardingChecklist>{page}</OnboardingChecklist>)
  expect(await screen.findByText('1 / 2')).toBeTruthy()
  rows.push({})
  await queryClient.invalidateQueries()
  expect(await screen.findByText('All set')).toBeTruthy()
  expect(localStorage.getItem('onboarding-dismissed')).not.toBe('true')
  await user.click(screen.getByRole('button', { name: 'Hide' }))
  expect(screen.queryByText('All set')).toBeNull()
})
