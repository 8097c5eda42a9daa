import { expect, test } from 'bun:test'

import { chatLink, firstKey } from './chat-link'

const filled = { key: 'abc', address: 'https://gate.example:8443' }

test.each([
  [
    'https://chat.example/#/?key={key}&url={address}',
    'https://chat.example/#/?key=sk-abc&url=https%3A%2F%2Fgate.example%3A8443',
  ],
  ['https://chat.example/{key}/{key}', 'https://chat.example/sk-abc/sk-abc'],
  ['javascript:alert({key})', undefined],
  ['no address', undefined],
  ['', undefined],
])('%p becomes %p', (template, link) => {
  expect(chatLink({ template, ...filled })).toBe(link)
})

test('the first token that is enabled gives its key', () => {
  expect(
    firstKey([
      { status: 2, key: 'off' },
      { status: 1, key: 'on' },
      { status: 1, key: 'later' },
    ]),
  ).toBe('on')
  expect(firstKey([{ status: 3, key: 'expired' }])).toBeUndefined()
})
