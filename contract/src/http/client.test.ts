import { describe, expect, test } from 'bun:test'

import * as z from 'zod'

import { ApiError, createClient, type ClientOptions } from './client'
import { route } from './route'

const find = route({
  method: 'GET',
  path: '/api/thing/{id}',
  access: 'guest',
  summary: '',
  params: z.object({ id: z.string() }),
  query: z.object({ word: z.string().optional(), p: z.string().optional() }),
  data: z.string(),
  envelopeFields: z.object({ time: z.number() }),
})
const save = route({
  method: 'PUT',
  path: '/api/thing',
  access: 'user',
  summary: '',
  body: z.object({ a: z.number() }),
})

/** A client of a server with one fixed response, and the request it received. */
function clientOf(response: Response, options: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const fetch = (request: Request) => {
    requests.push(request)
    return Promise.resolve(response)
  }
  return { client: createClient({ baseUrl: 'http://gateway.test', fetch, ...options }), requests }
}

describe('a call', () => {
  test('a call fills in path and query and returns data and its sibling members', async () => {
    const { client, requests } = clientOf(Response.json({ success: true, message: '', data: 'x', time: 2 }))
    const result = await client.callWhole(find, { params: { id: 'a/b' }, query: { word: 'ä&', p: undefined } })
    expect(result).toEqual({ data: 'x', envelopeFields: { time: 2 } })
    expect(requests.map(({ method, url }) => [method, url])).toEqual([
      ['GET', 'http://gateway.test/api/thing/a%2Fb?word=%C3%A4%26'],
    ])
  })

  test('a call sends the user, the language and the credentials', async () => {
    const signed = { userId: 7, cookie: 'session=s', accessToken: 't', language: 'en' } as const
    const { client, requests } = clientOf(Response.json({ success: true, message: '' }), signed)
    await client.call(save, { body: { a: 1 } })
    const [request] = requests
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      'accept-language': 'en',
      authorization: 'Bearer t',
      'content-type': 'application/json',
      cookie: 'session=s',
      'tollgate-user': '7',
    })
    expect(await request?.json()).toEqual({ a: 1 })
  })

  test('a failed call throws what the envelope says', async () => {
    const envelope = { success: false, message: 'Sign in.', code: 'auth.required', request_id: 'R' }
    const { client } = clientOf(Response.json(envelope, { status: 401 }))
    const error = await client.call(save, { body: { a: 1 } }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: 'Sign in.', code: 'auth.required', status: 401, requestId: 'R' })
  })

  test('a call that meets something other than the gateway throws, too', async () => {
    const { client } = clientOf(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
    const error = await client.call(save, { body: { a: 1 } }).catch((error: unknown) => error)
    expect(error).toMatchObject({ message: 'Bad Gateway', code: undefined, status: 502 })
  })
})
