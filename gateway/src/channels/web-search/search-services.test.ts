import { expect, test } from 'bun:test'

import { searchServices } from './search-services'

const page = { url: 'https://ice.example/a', title: 'Ice', excerpt: 'Thin.' }
const address = 'https://search.example/x'

test.each([
  [
    'searxng',
    { method: 'GET', url: `${address}?q=thin+ice&format=json`, headers: { authorization: 'Bearer secret' } },
    { results: [{ url: page.url, title: page.title, content: page.excerpt }] },
  ],
  [
    'tavily',
    {
      method: 'POST',
      url: address,
      headers: { authorization: 'Bearer secret' },
      body: '{"query":"thin ice","max_results":8}',
    },
    { results: [{ url: page.url, title: page.title, content: page.excerpt }] },
  ],
  [
    'brave',
    { method: 'GET', url: `${address}?q=thin+ice&count=8`, headers: { 'x-subscription-token': 'secret' } },
    { web: { results: [{ url: page.url, title: page.title, description: page.excerpt }] } },
  ],
  [
    'serper',
    { method: 'POST', url: address, headers: { 'x-api-key': 'secret' }, body: '{"q":"thin ice","num":8}' },
    { organic: [{ link: page.url, title: page.title, snippet: page.excerpt }] },
  ],
] as const)('%s is asked by its own API and read', (name, request, response) => {
  const service = searchServices[name]
  expect(service.request(address, 'secret', 'thin ice')).toMatchObject(request)
  expect(service.read(response)).toEqual([page])
  expect(service.read({ results: 'none', web: null, organic: [{ link: 'javascript:x' }] })).toEqual([])
})

test('a SearXNG without a login gets no header for one', () => {
  expect(searchServices.searxng.request(address, '', 'ice').headers).toEqual({ accept: 'application/json' })
})
