import { FormFile } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'

import { readVideoRequest } from './read-video-request'

const prompt = 'A fox crosses a frozen harbour.'
const requestOf = (more: Readonly<Record<string, unknown>>) => readVideoRequest({ prompt, ...more }).request
const at = 'https://images.example/fox.png'

describe('a request for a video', () => {
  test('leaves to the vendor what it does not specify', () => {
    expect(readVideoRequest({ prompt })).toEqual({
      model: 'sora-2',
      webhook: '',
      request: {
        prompt,
        negativePrompt: null,
        seconds: null,
        frame: null,
        resolution: null,
        aspectRatio: null,
        quality: null,
        hasSound: null,
        seed: null,
        firstFrame: null,
        lastFrame: null,
        references: [],
        own: { prompt },
      },
    })
  })

  test.each([
    [
      { seconds: '8', size: '1280x720' },
      { seconds: 8, frame: { width: 1280, height: 720 }, resolution: null },
    ],
    [
      { duration: 5, size: '1080P' },
      { seconds: 5, frame: null, resolution: '1080p' },
    ],
    [
      { metadata: '{"resolution":"4k","duration":6}', seconds: 4 },
      { seconds: 4, resolution: '4k' },
    ],
    [{ metadata: { aspect_ratio: '9:16', negative_prompt: 'fog' } }, { aspectRatio: '9:16', negativePrompt: 'fog' }],
    [{ generate_audio: false }, { hasSound: false }],
    [{ metadata: { sound: 'on', mode: 'pro' } }, { hasSound: true, quality: 'pro' }],
    [{ seed: '7' }, { seed: 7 }],
    [{ input_reference: { image_url: at } }, { firstFrame: at, references: [] }],
    [{ images: [at, `${at}?2`] }, { firstFrame: at, references: [`${at}?2`] }],
    [
      { image: at, metadata: { image_tail: `${at}?2` } },
      { firstFrame: at, lastFrame: `${at}?2`, references: [] },
    ],
    [
      { first_frame: at, image: `${at}?2` },
      { firstFrame: at, references: [`${at}?2`] },
    ],
    [{ reference_images: [{ url: at }] }, { firstFrame: null, references: [at] }],
    [{ image: '/9j/4AAQSkZJRgABAQ==' }, { firstFrame: 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==' }],
  ])('images named by %j become the first frame or references', (more, request) => {
    expect(requestOf(more)).toMatchObject(request)
  })

  test('takes files of a form', () => {
    const file = new FormFile('fox.png', 'image/png', new Uint8Array([1]))
    expect(requestOf({ input_reference: file }).firstFrame).toBe(file)
    expect(requestOf({ 'images[]': [file, file] }).references).toEqual([file])
  })

  test.each([
    [{ prompt: 5 }, 'prompt'],
    [{ model: '' }, 'model'],
    [{ seconds: '4.5' }, 'seconds'],
    [{ duration: 601 }, 'duration'],
    [{ resolution: 'sharp' }, 'resolution'],
    [{ input_reference: { file_id: 'file-1' } }, 'input_reference'],
    [{ image: 'file:///etc/passwd' }, 'image'],
    [{ callback_url: 'http://app.example/hook' }, 'callback_url'],
    [{ image: new FormFile('fox.png', 'image/png', new Uint8Array(0)) }, 'image'],
    [{ images: Array.from({ length: 18 }, () => at) }, 'images'],
  ])('%j is refused by the name of its member', (more, param) => {
    expect(() => requestOf(more)).toThrow(expect.objectContaining({ param }))
  })
})
