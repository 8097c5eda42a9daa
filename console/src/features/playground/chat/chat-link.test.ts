import { expect, test } from 'bun:test'

import { chatTarget, firstChat, firstEnabled } from './chat-link'

const filled = { key: 'abc', address: 'https://gate.example:8443' }
const linkOf = (template: string) => chatTarget({ template, ...filled })

test.each([
  [
    'https://chat.example/#/?key={key}&url={address}',
    'https://chat.example/#/?key=sk-abc&url=https%3A%2F%2Fgate.example%3A8443',
  ],
  ['https://chat.example/{key}/{key}', 'https://chat.example/sk-abc/sk-abc'],
  ['javascript:alert({key})', undefined],
  [' javascript:alert(1)', undefined],
  ['data:text/html,{key}', undefined],
  ['blob:https://a.example/{key}', undefined],
  ['no address', undefined],
  ['', undefined],
])('%p becomes %p', (template, link) => {
  expect(linkOf(template)?.link).toBe(link)
})

test('apps are distinguished from pages, and the receiver of the key is named', () => {
  expect(linkOf('opencat://team/join?domain={address}&token={key}')).toEqual({
    kind: 'app',
    link: 'opencat://team/join?domain=https%3A%2F%2Fgate.example%3A8443&token=sk-abc',
    receiver: 'opencat://',
    isOwn: false,
  })
  expect(linkOf('https://chat.example/x?key={key}')).toMatchObject({ kind: 'page', receiver: 'https://chat.example' })
  expect(linkOf(`${location.origin}/own`)).toMatchObject({ kind: 'page', isOwn: true })
})

test('the first page takes precedence over the first app', () => {
  const app = { OpenCat: 'opencat://join?token={key}' }
  const page = { Page: 'https://chat.example/?key={key}' }
  expect(firstChat([app, page])).toBe(1)
  expect(firstChat([{ Broken: 'javascript:1' }, app])).toBe(1)
  expect(firstChat([{ Broken: 'javascript:1' }])).toBe(-1)
  expect(firstChat([])).toBe(-1)
})

test('the first enabled token is used', () => {
  const tokens = [
    { name: 'a', status: 2, key: 'off' },
    { name: 'b', status: 1, key: '' },
    { name: 'c', status: 1, key: 'on' },
    { name: 'd', status: 1, key: 'later' },
  ]
  expect(firstEnabled(tokens)?.name).toBe('c')
  expect(firstEnabled([{ name: 'e', status: 3, key: 'expired' }])).toBeUndefined()
})
