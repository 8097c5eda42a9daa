import { expect, test } from 'bun:test'
import { act, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { InboxBell } from './top-bar'
import { UnreadCount } from './unread-count'

const open = async (count: () => number) => {
  const calls = serve({ 'GET /api/user/messages/unread_count': () => ({ unread_count: count() }) })
  return { ...(await renderConsole(<UnreadCount />)), calls }
}
const requests = '/api/user/messages/unread_count'

test('the bell links to the inbox, and shows there at once how many are unread', async () => {
  history.replaceState(null, '', '/app/inbox')
  serve({ 'GET /api/user/messages/unread_count': () => ({ unread_count: 2 }) })
  await renderConsole(<InboxBell />)
  expect(screen.getByRole('link', { name: /^Inbox/ }).getAttribute('href')).toBe('/app/inbox')
  await screen.findByText('2 unread')
})

test('new messages are announced, but not those that were there before or were read', async () => {
  let unread = 2
  const { queryClient } = await open(() => unread)
  await screen.findByText('2 unread')
  const readAnnouncement = () => screen.getByRole('status').textContent
  expect(readAnnouncement()).toBe('')
  const refetchWith = (count: number) => {
    unread = count
    return act(() => queryClient.invalidateQueries({ queryKey: [requests] }))
  }
  await refetchWith(3)
  await waitFor(() => expect(readAnnouncement()).toBe('1 new message'))
  await refetchWith(1)
  await screen.findByText('1 unread')
  expect(readAnnouncement()).toBe('')
  await refetchWith(0)
  await untilGone(() => screen.queryByText('0 unread'))
})

test('a count above 99 is shown as 99+', async () => {
  await open(() => 120)
  expect((await screen.findByText('99+')).getAttribute('title')).toBe('120 unread')
})
