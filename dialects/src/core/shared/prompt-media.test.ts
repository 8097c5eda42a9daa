import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../json'
import { promptMedia } from './prompt-media'

const url = 'data:image/png;base64,AAAA'
const inImage = { kind: 'image', data: 'AAAA', isCoarse: false }
const messages = (...content: object[]) => ({ messages: [{ role: 'user', content }] })

describe('the media of a prompt are found', () => {
  test.each<[string, JsonObject, object[]]>([
    ['in a chat', messages({ type: 'image_url', image_url: { url } }), [inImage]],
    [
      'in a chat, to be seen coarsely',
      messages({ type: 'image_url', image_url: { url, detail: 'low' } }),
      [{ ...inImage, isCoarse: true }],
    ],
    [
      'in a chat, by an address',
      messages({ type: 'image_url', image_url: 'https://a.example/b.png' }),
      [{ ...inImage, data: null }],
    ],
    [
      'in a chat, spoken',
      messages({ type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } }),
      [{ kind: 'audio', data: 'BBBB', isCoarse: false }],
    ],
    [
      'in a chat, spoken at an address in the place of the data',
      messages({ type: 'input_audio', input_audio: { data: 'https://a.example/b.mp3', format: 'mp3' } }),
      [{ kind: 'audio', data: null, isCoarse: false }],
    ],
    [
      'in a chat of Ollama, as base64',
      { messages: [{ role: 'user', content: 'what', images: ['AAAA', url, 'https://a.example/b.png'] }] },
      [inImage, inImage, { ...inImage, data: null }],
    ],
    ['in a response', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] }, [inImage]],
    ['in what a response drew', { input: [{ type: 'image_generation_call', result: 'AAAA' }] }, [inImage]],
    [
      'in a result of a tool',
      messages({
        type: 'tool_result',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      }),
      [inImage],
    ],
    [
      'in the contents of Gemini, in either spelling',
      {
        contents: [
          { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'hi' }] },
          { parts: [{ file_data: { mime_type: 'audio/mp3', file_uri: 'files/1' } }] },
        ],
      },
      [inImage, { kind: 'audio', data: null, isCoarse: false }],
    ],
    ['in none where there is text', messages({ type: 'text', text: url }), []],
  ])('media of a prompt are found: %s', (_name, body, media) => {
    expect(promptMedia(body)).toEqual(media as never)
  })
})
