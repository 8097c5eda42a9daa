import { expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { translationOf } from './translation'

const translate = (client: DialectId, upstream: DialectId, body: JsonObject, model = 'm') => {
  const translated = translationOf(client, upstream)?.({ model, ...body }, { ...inBody, model }, model)
  if (!translated) throw new Error(`${client} does not reach ${upstream}`)
  return translated
}

const user = (content: unknown) => ({ role: 'user', content })
const calls = (...named: [id: string, name: string][]) => ({
  role: 'assistant',
  content: null,
  tool_calls: named.map(([id, name]) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
})
const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content })

// https://github.com/1jehuang/jcode/issues/465
test('pictures are of the kind that their bytes say, also in the results of tools', () => {
  const image = (head: number[], mime: string) => ({
    type: 'image_url',
    image_url: { url: `data:${mime};base64,${Buffer.from([...head, ...Buffer.from('....WEBP')]).toString('base64')}` },
  })
  const jpeg = image([0xff, 0xd8, 0xff, 0xe0], 'image/png')
  const messages = [
    user([jpeg, image([...Buffer.from('RIFF')], ''), image([...Buffer.from('GIF89a')], 'application/octet-stream')]),
    calls(['c', 'f']),
    { ...result('c', ''), content: [jpeg, image([0x89, 0x50, 0x4e, 0x47], 'image/png')] },
  ]
  const kinds = (body: JsonObject) =>
    [...JSON.stringify(body).matchAll(/image\/\w+/g)].map(([kind]) => kind.slice('image/'.length))
  for (const upstream of ['anthropic-messages', 'gemini', 'openai-responses'] as const)
    expect(kinds(translate('openai-chat', upstream, { messages }, 'gemini-3-pro').body)).toEqual([
      'jpeg',
      'webp',
      'gif',
      'jpeg',
      'png',
    ])
})

test('documents that a client of chats shows as images, or in the words of other dialects, are files', () => {
  const url = 'data:application/pdf;base64,JVBERi0xLjcK'
  const parts = [
    { type: 'image_url', image_url: { url } },
    { type: 'input_file', filename: 'a.pdf', file_data: url },
  ]
  const messages = [user([...parts, { type: 'input_image', image_url: 'https://a.example/b.png' }])]
  const { body, warnings } = translate('openai-chat', 'openai-responses', { messages })
  expect(body['input']).toMatchObject([
    {
      content: [
        { type: 'input_file', file_data: url },
        { type: 'input_file', file_data: url, filename: 'a.pdf' },
        { type: 'input_image', image_url: 'https://a.example/b.png' },
      ],
    },
  ])
  expect(warnings).toEqual([])
  const input = [user([{ type: 'input_image', image_url: url }])]
  expect(translate('openai-responses', 'openai-chat', { input }).body['messages']).toMatchObject([
    { content: [{ type: 'file', file: { file_data: url } }] },
  ])
})
