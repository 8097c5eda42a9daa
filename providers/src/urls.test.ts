import { describe, expect, test } from 'bun:test'

import { modelInPath, openAiPath, parameterOf, queryOf } from './urls'

describe('the query of a call', () => {
  test.each([
    ['/v1/chat/completions', ''],
    ['/v1/chat/completions?', ''],
    ['/v1/chat/completions?key=s', ''],
    ['/v1/chat/completions?%6bey=s', ''],
    ['/v1/chat/completions?api-version=1&api-key=s', '?api-version=1'],
    ['/v1/chat/completions?a=1&key=s&&b=%20x&keys=2', '?a=1&b=%20x&keys=2'],
    ['/v1/chat/completions?a=%zz&flag', '?a=%zz&flag'],
  ])('the query of %s goes on without its secret', (path, query) => expect(queryOf(path)).toBe(query))

  test('goes on without the parameters a vendor replaces', () => {
    expect(queryOf('/x?api-version=1&a=2', 'api-version')).toBe('?a=2')
  })

  test('one parameter is read from a query', () => {
    expect(parameterOf('/x?api-version=1&a=2', 'a')).toBe('2')
    expect(parameterOf('/x?a=2', 'b')).toBeUndefined()
    expect(parameterOf('/x', 'a')).toBeUndefined()
  })
})

test('a path follows the mode, whatever the client called', () => {
  const target = { baseUrl: 'https://a.example', mode: 'embeddings', path: '/v1/engines/m/embeddings?a=1' } as const
  expect(openAiPath()(target)).toBe('https://a.example/v1/embeddings?a=1')
  expect(openAiPath('')(target)).toBe('https://a.example/embeddings?a=1')
})

test('a path may differ behind the AI gateway of Cloudflare', () => {
  const url = (baseUrl: string) => openAiPath('/v1', '')({ baseUrl, mode: 'chat', path: '/v1/chat/completions' })
  const gateway = 'https://gateway.ai.cloudflare.com/v1/account/gate/openai'
  expect(url(gateway)).toBe(`${gateway}/chat/completions`)
  expect(url('https://gateway.ai.cloudflare.com.example')).toEndWith('.example/v1/chat/completions')
  expect(openAiPath()({ baseUrl: gateway, mode: 'chat', path: '' })).toBe(`${gateway}/v1/chat/completions`)
})

test('a model in a path cannot leave it', () => {
  expect(modelInPath('@cf/meta/llama:8b')).toBe('@cf/meta/llama:8b')
  expect(modelInPath('m?x=1#y z%')).toBe('m%3Fx%3D1%23y%20z%25')
  const url = new URL(`https://a.example/models/${modelInPath('../../admin/./x')}/chat`)
  expect(url.pathname).toStartWith('/models/')
  expect(url.pathname).toEndWith('/admin/%252E/x/chat')
})
