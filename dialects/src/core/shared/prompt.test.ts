import { describe, expect, test } from 'bun:test'

import { dialects } from '../../dialects'

const chat = (body: object) => dialects['openai-chat'].readPrompt({ ...body })

describe('what a prompt is made of', () => {
  test('a prompt holds all texts of all messages', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"q":1}' } }
    const messages = [
      { role: 'system', content: 'rules' },
      { role: 'user', name: 'ann', content: [{ type: 'text', text: 'look' }, 'odd', { type: 'text' }] },
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'found' },
    ]
    expect(chat({ messages })).toMatchObject({
      texts: ['rules', 'look', 'odd', 'ann', 'hm', 'f', '{"q":1}', 'found'],
      messages: 4,
      names: 1,
    })
  })

  test('pictures by how closely they are looked at, sounds, files and films', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:…', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'data:…', detail: 'high' } },
      { type: 'image_url', image_url: 'https://…' },
      { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'video_url', video_url: { url: '' } },
    ]
    expect(chat({ messages: [{ role: 'user', content }] })).toMatchObject({
      texts: [],
      lowDetailImages: 1,
      images: 2,
      audios: 1,
      files: 2,
    })
  })

  test.each([
    ['a document in the body', 'data:application/pdf;base64,JVBERi0x'],
    ['a film in the body', 'data:video/mp4;base64,AAAA'],
    ['a film at an address', 'https://films.example/long.mp4?x=1'],
    ['a film at YouTube', 'https://m.youtube.com/watch?v=1'],
    ['a document at an address', 'https://files.example/a.PDF'],
  ])('%s that is given as a picture counts as a file, in every dialect', (_what, url) => {
    const content = [{ type: 'image_url', image_url: { url, detail: 'low' } }]
    const requested = [
      chat({ messages: [{ role: 'user', content }] }),
      dialects['openai-responses'].readPrompt({
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
      }),
      dialects['anthropic-messages'].readPrompt({
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
      }),
    ]
    for (const shape of requested) expect(shape).toMatchObject({ files: 1, images: 0, lowDetailImages: 0 })
  })

  test.each([
    ['notes.txt', 'data:text/plain;charset=utf-8;base64,aGVsbG8=', ['aGVsbG8=']],
    ['notes.md', 'aGVsbG8=', ['aGVsbG8=']],
    ['rows', 'data:application/json;base64,e30=', ['e30=']],
    ['paper.pdf', 'data:application/pdf;base64,JVBERi0x', undefined],
    ['paper', 'JVBERi0x', undefined],
    ['notes.txt', undefined, undefined],
  ])('the file %s with %p shows its text where it has some', (filename, file_data, textFiles) => {
    const file = { filename, file_data }
    const input = [{ role: 'user', content: [{ type: 'input_file', ...file }] }]
    const shapes = [
      chat({ messages: [{ role: 'user', content: [{ type: 'file', file }] }] }),
      dialects['openai-responses'].readPrompt({ input }),
    ]
    expect(shapes.map(({ files, textFiles: texts }) => [files, texts])).toEqual([
      [1, textFiles],
      [1, textFiles],
    ])
  })

  test('a file of Gemini that is text in another form than plain text shows it', () => {
    const contents = [{ parts: [{ inlineData: { mimeType: 'application/json', data: 'e30=' } }] }]
    expect(dialects.gemini.readPrompt({ contents })).toMatchObject({ files: 1, textFiles: ['e30='] })
  })

  test.each(['files/1', 'gs://films/1', 'https://youtu.be/1'])(
    'what lies at %s counts as a file, whatever kind of file the request says it is',
    (file_uri) => {
      const contents = [{ parts: [{ file_data: { mime_type: 'image/png', file_uri } }] }]
      expect(dialects.gemini.readPrompt({ contents })).toMatchObject({ files: 1, images: 0 })
    },
  )

  test('descriptions of tools and of the wanted schema', () => {
    const described = { name: 'f', description: 'does f', parameters: {} }
    const shape = chat({
      messages: [],
      tools: [{ type: 'function', function: described }],
      functions: [described],
      response_format: { type: 'json_schema', json_schema: { name: 's' } },
    })
    expect(shape.tools).toEqual([described, described, { name: 's' }])
  })

  test.each([
    [{ input: 'a' }, ['a'], 0],
    [{ input: ['a', 'b'] }, ['a', 'b'], 0],
    [{ input: [1, 2, 3] }, [], 3],
    [{ input: [[1, 2], [3]] }, [], 3],
    [{ input: [{ type: 'text', text: 'a' }] }, ['a'], 0],
  ])('an input holds texts and tokens: %j', (body, texts, tokenIds) => {
    expect(dialects['openai-embeddings'].readPrompt(body)).toMatchObject({ texts, tokenIds, messages: 0 })
  })
})
