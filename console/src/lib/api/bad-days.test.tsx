import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { groupRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { ErrorState } from '../../components/page/state-message'
import { useRead } from './query'

function Groups() {
  const { data, error, refetch } = useRead(groupRoutes.listGroups)
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <p>{data?.join() ?? 'nothing yet'}</p>
}

const unreachable = 'The server cannot be reached. Check your connection and try again.'

test.each([
  ['the server is gone', () => Promise.reject(new TypeError('refused')), unreachable],
  // Administrators read where to look, users whom to ask.
  ['the server fails', () => new Refusal('server.error', 'x', 500), /^Internal server error, please contact/],
  ['the server has enough', () => new Refusal('rate.limited', 'x', 429), 'Too many requests, please try again later'],
  [
    'a proxy answers in the server’s place',
    () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    'The server responded with status 502',
  ],
  ['the answer breaks off', () => new Response('{"success":true,"data":["vi'), unreachable],
] as const)('a page says so when %s, and recovers afterwards', async (_what, respond, sentence) => {
  let isBad = true
  serve({ 'GET /api/group': () => (isBad ? respond() : ['vip']) })
  const { user } = await renderConsole(<Groups />)
  await screen.findByText(sentence)
  isBad = false
  await user.click(screen.getByText('Try again'))
  await screen.findByText('vip')
  expect(screen.queryByText(sentence)).toBeNull()
})
