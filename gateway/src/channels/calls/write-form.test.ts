import { FormFile } from '@tollgate/dialects'
import { expect, test } from 'bun:test'

import { writeForm } from './write-form'

test('a form is written with its files as they are, and any reader reads it', async () => {
  const bytes = Uint8Array.from([0, 13, 10, 45, 255])
  const { contentType, pieces } = writeForm({
    model: 'whisper-1',
    file: new FormFile('a"b\r\n.mp3', 'audio/mpeg', bytes),
    temperature: 0.5,
    'include[]': ['logprobs', 'more'],
    prompt: null,
    'na"me': 'x',
  })
  expect(pieces.some((piece) => piece === bytes)).toBe(true)
  const read = await new Response(new Blob([...pieces]), { headers: { 'content-type': contentType } }).formData()
  expect([...read].filter(([, value]) => typeof value === 'string')).toEqual([
    ['model', 'whisper-1'],
    ['temperature', '0.5'],
    ['include[]', 'logprobs'],
    ['include[]', 'more'],
    ['na%22me', 'x'],
  ])
  const file = read.get('file') as unknown as File
  expect([file.name, file.type]).toEqual(['a%22b%0D%0A.mp3', 'audio/mpeg'])
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
})

test('the type of a file cannot end its header', () => {
  const { pieces } = writeForm({ file: new FormFile('a', 'audio/mpeg\r\nX: y', new Uint8Array(1)) }, 'b')
  expect(Buffer.concat(pieces).toString()).toContain('\r\nContent-Type: application/octet-stream\r\n\r\n')
})
