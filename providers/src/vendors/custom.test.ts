import { expect, test } from 'bun:test'
import type { Mode } from '@tollgate/dialects'

import type { Target } from '../provider'
import { custom } from './custom'

const urlOf = (mode: Mode, baseUrl: string): string | undefined => {
  const target: Target = {
    baseUrl,
    mode,
    key: 'k',
    model: 'm-1',
    path: '',
    other: '',
    organization: '',
    stream: false,
    site: { name: 'Tollgate', url: 'https://gate.example' },
  }
  const described = custom.modes[mode]
  return (typeof described === 'function' ? described(target) : described)?.url(target)
}

test.each<[Mode, string]>([
  ['chat', 'chat/completions'],
  ['embeddings', 'embeddings'],
  ['images', 'images/generations'],
  ['speech', 'audio/speech'],
  ['rerank', 'rerank'],
])('a call of mode %s is beside an address that ends as a chat’s does', (mode, end) => {
  expect(urlOf(mode, 'https://a.example/api/v3/chat/completions')).toBe(`https://a.example/api/v3/${end}`)
})

test('any other address is the whole address of every call', () => {
  expect(urlOf('rerank', 'https://a.example/v1/rank/{model}')).toBe('https://a.example/v1/rank/m-1')
  expect(urlOf('chat', 'https://a.example/talk')).toBe('https://a.example/talk')
})
