import { afterEach, expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { groupRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { preloadKey } from './preload'
import { useEnvelope, useRead } from './query'

afterEach(() => {
  delete window.preload
})

const key = preloadKey(groupRoutes.listGroups.path, undefined, 'en')

/** Puts a response in place that arrived before the page. */
const arrive = (body: object): void => arriveAsText(JSON.stringify(body))

function arriveAsText(text: string): void {
  const response = Promise.resolve(new Response(text))
  const bodies = new Map([[key, text]])
  window.preload = { at: Date.now(), responses: new Map([[key, response]]), bodies, texts: {} }
}

const drawn = new Set<string>()

function Groups() {
  const { data, error } = useRead(groupRoutes.listGroups, undefined, { staleTime: 5_000 })
  const text = error?.message ?? data?.join() ?? 'nothing yet'
  drawn.add(text)
  return <p>{text}</p>
}

/** The same by the whole response. */
function WholeGroups() {
  const { data } = useEnvelope(groupRoutes.listGroups, undefined, { staleTime: 5_000 })
  const text = data?.data.join() ?? 'nothing yet'
  drawn.add(text)
  return <p>{text}</p>
}

test.each([
  ['its data', Groups],
  ['all of it', WholeGroups],
])('a response that arrived before the page is drawn at once, without another call, by %s', async (_part, Page) => {
  drawn.clear()
  const calls = serve({})
  arrive({ success: true, message: '', data: ['vip'] })
  await renderConsole(<Page />, { user: null })
  await screen.findByText('vip')
  expect([...drawn]).toEqual(['vip'])
  expect(calls).toEqual([])
  expect([window.preload?.responses.size, window.preload?.bodies.size]).toEqual([0, 0])
})

test('a refusal that arrived before the page is left to the call, which reports it', async () => {
  const calls = serve({})
  arrive({ success: false, message: 'Not today.', code: 'auth.forbidden' })
  await renderConsole(<Groups />, { user: null })
  await screen.findByText('Not today.')
  expect(calls).toEqual([])
})

test('a response that broke off before the page came is reported, like one that breaks off later', async () => {
  const calls = serve({})
  arriveAsText('{"success":true,"data":["vi')
  await renderConsole(<Groups />, { user: null })
  await screen.findByText('The server cannot be reached. Check your connection and try again.')
  expect(calls).toEqual([])
})
