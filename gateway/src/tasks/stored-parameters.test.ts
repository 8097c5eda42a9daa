import { expect, test } from 'bun:test'

import { FormFile } from '@tollgate/dialects'

import { selectStoredParameters } from './stored-parameters'

test('plain members of a request are kept, without those that describe the call', () => {
  const plainMembers = {
    prompt: 'words that are sung',
    size: '1280x720',
    n: 2,
    make_instrumental: false,
    image: 'https://a.example/cat.png',
  }
  const ofTheCall = {
    model: 'veo-3',
    async: true,
    callback_url: 'https://app.example/hook',
    user: 'customer-7',
    group: 'vip',
  }
  expect(selectStoredParameters({ ...plainMembers, ...ofTheCall })).toEqual({ parameters: plainMembers })
})

test.each([
  ['a picture within the request', { image: 'data:image/png;base64,AAAA', last_frame: 'AAAABBBBCCCCDDDDEEEE' }],
  ['a file', { input_reference: new FormFile('cat.png', 'image/png', new Uint8Array(1)) }],
  ['an object or a list', { reference: { a: 1 }, images: ['https://a.example/cat.png'] }],
  ['a very long text', { lyrics: 'la '.repeat(4000) }],
  [
    'all of a request with more than fits',
    { verse: 'la '.repeat(2600), chorus: 'la '.repeat(2600), end: 'la '.repeat(2600) },
  ],
] as const)('%s is not kept but named', (_name, body) => {
  expect(selectStoredParameters(body)).toEqual({ left_out: Object.keys(body) })
})

test('a member that the task has a column for is not kept twice', () => {
  expect(selectStoredParameters({ prompt: 'a harbour', n: 2 }, 'prompt')).toEqual({ parameters: { n: 2 } })
})

test('nothing is kept of members that say nothing', () => {
  expect(selectStoredParameters({ size: '', seed: null, quality: undefined })).toEqual({})
})
