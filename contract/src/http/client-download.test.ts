import { expect, test } from 'bun:test'

import { ApiError, createClient } from './client'
import { fileRoute } from './route'

const table = fileRoute({ method: 'GET', path: '/api/table', access: 'user', media: 'text/csv', summary: '' })

const download = (response: Response) =>
  createClient({ baseUrl: 'http://gateway.test', fetch: () => Promise.resolve(response) }).download(table)

test('a file arrives unchanged', async () => {
  const response = await download(new Response('a,b\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }))
  expect(await response.text()).toBe('a,b\r\n')
})

test('an envelope in place of a file is a failure, whatever its status', async () => {
  const envelope = { success: false, message: 'Wait.', code: 'param.invalid', request_id: 'R' }
  const error = await download(Response.json(envelope)).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: 'Wait.', code: 'param.invalid', status: 200, requestId: 'R' })
})

test('a response of something other than the gateway is a failure', async () => {
  const page = new Response('<html>', {
    status: 502,
    statusText: 'Bad Gateway',
    headers: { 'Content-Type': 'text/csv' },
  })
  expect(await download(page).catch((error: unknown) => error)).toMatchObject({ status: 502, message: 'Bad Gateway' })
})
