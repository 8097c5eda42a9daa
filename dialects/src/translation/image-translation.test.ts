import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { wrappedImage, WrappedImage } from '../images/cloudflare-images'
import { dialects } from '../dialects'
import { FormFile } from '../core/form-file'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { WholeImages } from '../images/openai-images/whole-images'
import { noUsage } from '../core/usage'
import { imageUpstreams } from './test/codecs'
import type { ResponseOptions } from './translate'
import { translationOf } from './translation'

const options = { model: 'mine', now: 5, promptTokens: 0 } as ResponseOptions
const usage = { ...noUsage, promptTokens: 5, completionTokens: 7 }
const request = {
  model: 'm',
  prompt: 'ice',
  n: 2,
  size: '1536x1024',
  quality: 'high',
  background: 'opaque',
  output_format: 'jpeg',
  negative_prompt: 'snow',
  seed: 7,
  response_format: 'b64_json',
  user: 'u',
}
const edit = {
  ...request,
  images: [{ image_url: 'data:image/png;base64,AAAA' }],
  mask: { image_url: 'data:image/png;base64,BBBB' },
}
const text = { text: 'ice' }
const inline = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
const address = { image_url: { url: 'data:image/png;base64,AAAA' }, type: 'image_url' }

interface Case {
  readonly written: JsonObject
  readonly edited: object
  readonly warnings: readonly string[]
  readonly answer: JsonObject
  /** The `data` of the response for a client of OpenAI's dialect. */
  readonly data: readonly object[]
}

const url = 'https://example.com/a.png'
const cases: Partial<Record<DialectId, Case>> = {
  'gemini-images': {
    written: {
      contents: [{ role: 'user', parts: [text] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], seed: 7, imageConfig: { aspectRatio: '3:2' } },
    },
    edited: { contents: [{ role: 'user', parts: [text, inline] }] },
    warnings: ['background', 'output_format', 'negative_prompt', 'user', 'quality'],
    answer: {
      candidates: [{ content: { parts: [{ ...inline, thought: true }, { text: 'Here.' }, inline] } }],
    },
    data: [{ b64_json: 'AAAA' }],
  },
  imagen: {
    written: {
      instances: [{ prompt: 'ice' }],
      parameters: {
        sampleCount: 2,
        aspectRatio: '4:3',
        negativePrompt: 'snow',
        seed: 7,
        outputOptions: { mimeType: 'image/jpeg' },
      },
    },
    edited: {
      instances: [
        {
          prompt: 'ice',
          referenceImages: [
            {
              referenceType: 'REFERENCE_TYPE_RAW',
              referenceId: 1,
              referenceImage: { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' },
            },
            {
              referenceType: 'REFERENCE_TYPE_MASK',
              referenceId: 2,
              referenceImage: { bytesBase64Encoded: 'BBBB', mimeType: 'image/png' },
              maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
            },
          ],
        },
      ],
      parameters: { editMode: 'EDIT_MODE_INPAINT_INSERTION' },
    },
    warnings: ['background', 'user', 'quality'],
    answer: { predictions: [{ bytesBase64Encoded: 'AAAA', prompt: 'thick ice' }, { raiFilteredReason: 'Blocked.' }] },
    data: [{ b64_json: 'AAAA', revised_prompt: 'thick ice' }],
  },
  'dashscope-images': {
    written: {
      model: 'upstream',
      input: { messages: [{ role: 'user', content: [text] }] },
      parameters: { n: 2, size: '1536*1024', negative_prompt: 'snow', seed: 7, watermark: false },
    },
    edited: { input: { messages: [{ role: 'user', content: [{ image: 'data:image/png;base64,AAAA' }, text] }] } },
    warnings: ['quality', 'background', 'output_format', 'user'],
    answer: {
      output: { choices: [{ message: { content: [{ image: url }] } }] },
      usage: { width: 1536, height: 1024, image_count: 1 },
    },
    data: [{ url }],
  },
  'minimax-images': {
    written: {
      model: 'upstream',
      prompt: 'ice',
      n: 2,
      aspect_ratio: '3:2',
      seed: 7,
      response_format: 'base64',
    },
    edited: { subject_reference: [{ type: 'character', image_file: 'data:image/png;base64,AAAA' }] },
    warnings: ['quality', 'background', 'output_format', 'negative_prompt', 'user'],
    answer: { data: { image_base64: ['AAAA'] }, base_resp: { status_code: 0 } },
    data: [{ b64_json: 'AAAA' }],
  },
  'titan-images': {
    written: {
      taskType: 'TEXT_IMAGE',
      textToImageParams: { text: 'ice', negativeText: 'snow' },
      imageGenerationConfig: { numberOfImages: 2, width: 1536, height: 1024, quality: 'premium', seed: 7 },
    },
    edited: {
      taskType: 'INPAINTING',
      inPaintingParams: { text: 'ice', negativeText: 'snow', image: 'AAAA', maskImage: 'BBBB' },
    },
    warnings: ['background', 'output_format', 'user'],
    answer: { images: ['AAAA', 'BBBB'] },
    data: [{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }],
  },
  'stability-images': {
    written: { prompt: 'ice', negative_prompt: 'snow', seed: 7, output_format: 'jpeg', aspect_ratio: '3:2' },
    edited: { mode: 'image-to-image', image: 'AAAA' },
    warnings: ['quality', 'background', 'user'],
    answer: { images: ['AAAA', 'BBBB'], finish_reasons: [null, 'Filter reason: prompt'] },
    data: [{ b64_json: 'AAAA' }],
  },
  'xai-images': {
    written: {
      model: 'upstream',
      prompt: 'ice',
      n: 2,
      aspect_ratio: '3:2',
      response_format: 'b64_json',
      user: 'u',
    },
    edited: { image: { type: 'image_url', url: 'data:image/png;base64,AAAA' } },
    warnings: ['quality', 'background', 'output_format', 'negative_prompt', 'seed'],
    answer: { data: [{ url, revised_prompt: 'thick ice' }] },
    data: [{ url, revised_prompt: 'thick ice' }],
  },
  'seedream-images': {
    written: {
      model: 'upstream',
      prompt: 'ice',
      size: '1536x1024',
      seed: 7,
      response_format: 'b64_json',
    },
    edited: { image: 'data:image/png;base64,AAAA' },
    warnings: ['quality', 'background', 'negative_prompt', 'user', 'output_format'],
    answer: {
      data: [
        { url, size: '2048x2048' },
        { error: { code: 'OutputImageSensitiveContentDetected', message: 'Blocked.' } },
      ],
      usage: { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 },
    },
    data: [{ url }],
  },
  'siliconflow-images': {
    written: {
      model: 'upstream',
      prompt: 'ice',
      negative_prompt: 'snow',
      image_size: '1536x1024',
      batch_size: 2,
      seed: 7,
    },
    edited: { image: 'data:image/png;base64,AAAA' },
    warnings: ['quality', 'background', 'output_format', 'user'],
    answer: { images: [{ url }], timings: { inference: 1.2 }, seed: 7 },
    data: [{ url }],
  },
  'cloudflare-images': {
    written: { prompt: 'ice', width: 1536, height: 1024, seed: 7, negative_prompt: 'snow' },
    edited: { image_b64: 'AAAA' },
    warnings: ['quality', 'background', 'output_format', 'user'],
    answer: { result: { image: 'AAAA' }, success: true, errors: [], messages: [] },
    data: [{ b64_json: 'AAAA' }],
  },
  'openrouter-images': {
    written: {
      model: 'upstream',
      prompt: 'ice',
      aspect_ratio: '3:2',
      quality: 'high',
      background: 'opaque',
      output_format: 'jpeg',
      seed: 7,
    },
    edited: { input_references: [address] },
    warnings: ['negative_prompt', 'user'],
    answer: { created: 0, data: [{ b64_json: 'AAAA', media_type: 'image/jpeg' }] },
    data: [{ b64_json: 'AAAA' }],
  },
}

const translateRequest = (upstream: DialectId, body: JsonObject, client: DialectId = 'openai-images') => {
  const call = translationOf(client, upstream)?.(body, { ...inBody, model: client === 'imagen' ? 'm' : '' }, 'upstream')
  if (call === undefined) throw new Error(`There is no translation to ${upstream}`)
  return call
}

describe('pictures of the size that was asked for', () => {
  test.each([
    [{ size: '3840x2160' }, { aspectRatio: '16:9', imageSize: '4K' }],
    [{ size: '4096x4096' }, { aspectRatio: '1:1', imageSize: '4K' }],
    [{ size: '2048x2048' }, { aspectRatio: '1:1', imageSize: '2K' }],
    [{ size: '1536x1024' }, { aspectRatio: '3:2' }],
    [{ size: '4k' }, { imageSize: '4K' }],
    [{ image_size: '4K' }, { imageSize: '4K' }],
    [
      { quality: '4K', size: '1024x1792' },
      { aspectRatio: '9:16', imageSize: '4K' },
    ],
  ])('%j asks Gemini for %j and OpenRouter for the same', (members, imageConfig) => {
    const body = { model: 'm', prompt: 'ice', ...members }
    const gemini = translateRequest('gemini-images', body)
    expect([gemini.body['generationConfig'], gemini.warnings]).toEqual([expect.objectContaining({ imageConfig }), []])
    const { aspectRatio, imageSize } = imageConfig as { aspectRatio?: string; imageSize?: string }
    const router = translateRequest('openrouter-images', body)
    const same = { ...(aspectRatio && { aspect_ratio: aspectRatio }), ...(imageSize && { resolution: imageSize }) }
    expect(router).toMatchObject({ body: same, warnings: [] })
  })

  test('a model that draws in one size is not asked for another, which is named', () => {
    const body = { model: 'm', prompt: 'ice', size: '4096x4096' }
    const call = translationOf('openai-images', 'gemini-images')?.(
      body,
      { ...inBody, model: '' },
      'gemini-2.5-flash-image',
    )
    expect(call?.body['generationConfig']).toMatchObject({ imageConfig: { aspectRatio: '1:1' } })
    expect(call?.warnings).toEqual(['pictures in 4K'])
  })

  test.each([
    { image_config: { aspect_ratio: '9:16', image_size: '4K' } },
    { extra_body: { google: { image_config: { aspect_ratio: '9:16', image_size: '4K' } } } },
  ])('a chat that draws passes %j to Google', (members) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'ice' }], modalities: ['image', 'text'], ...members }
    const call = translationOf('openai-chat', 'gemini')?.(body, { ...inBody, model: 'm' }, 'gemini-3-pro-image-preview')
    expect(call?.body['generationConfig']).toMatchObject({ imageConfig: { aspectRatio: '9:16', imageSize: '4K' } })
  })
})

test('every dialect of images has a case', () => {
  const all = imageUpstreams.filter((id) => !id.startsWith('openai-image'))
  expect(new Set(Object.keys(cases))).toEqual(new Set(all))
})

describe.each(Object.entries(cases) as [DialectId, Case][])('%s', (id, { written, edited, warnings, answer, data }) => {
  test('a request is written with what the vendor knows', () => {
    const call = translateRequest(id, request)
    expect(call.body).toEqual(written)
    expect(call.warnings).toEqual(warnings)
    expect(translateRequest(id, edit).body).toMatchObject(edited)
  })

  test('a response is written for clients of OpenAI, whole and as a stream', () => {
    const call = translateRequest(id, request)
    const whole = call.read(answer).write(usage, options)
    expect(whole).toMatchObject({ created: 5, data, usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } })

    const tap = call.createTap?.(options)
    const bytes = new TextEncoder().encode(JSON.stringify(answer))
    for (let at = 0; at < bytes.length; at += 9) expect(tap?.push(bytes.subarray(at, at + 9))).toHaveLength(0)
    tap?.end()
    expect(tap).toMatchObject({ isFinished: true, isEmpty: false, error: null })
    expect(tap?.usage?.details?.image_count).toBe(data.length)
    const client = dialects['openai-images'].createTap({ swallowUsage: false, addUsage: false })
    client.push(tap?.finish(usage) ?? new Uint8Array(0))
    expect(client.usage).toMatchObject({ promptTokens: 5, completionTokens: 7, details: { image_count: data.length } })
  })

  test('usage counts the images in the response', () => {
    const { usage: read, error, isEmpty } = dialects[id].readAnswer(answer)
    expect(read?.details?.image_count).toBe(data.length)
    expect({ error, isEmpty }).toEqual({ error: null, isEmpty: false })
  })

  test('responses that were joined read as one with the images and usage of all', () => {
    const alone = dialects[id].readAnswer(answer).usage ?? noUsage
    for (const times of [1, 2, 5]) {
      const joined = dialects[id].joinAnswers?.(Array.from({ length: times }, () => answer)) ?? {}
      const { usage: read, error } = dialects[id].readAnswer(joined)
      expect({ count: read?.details?.image_count, error }).toEqual({ count: times * data.length, error: null })
      expect(read?.promptTokens).toBe(times * alone.promptTokens)
      expect(read?.completionTokens).toBe(times * alone.completionTokens)
      const whole = translateRequest(id, request).read(joined).write(usage, options)
      expect(whole['data']).toMatchObject(Array.from({ length: times }, () => data).flat())
    }
  })

  test('a failure within a stream is an error', () => {
    const tap = translateRequest(id, request).createTap?.(options)
    tap?.push(new TextEncoder().encode('{"error":{"message":"boom"}}'))
    tap?.end()
    expect(tap?.error).toMatchObject({ message: 'boom' })
    expect(tap).toMatchObject({ isFinished: false, isEmpty: true })
  })
})

test.each<[DialectId, JsonObject, string]>([
  ['imagen', { predictions: [{ raiFilteredReason: 'Blocked.' }] }, 'Blocked.'],
  ['gemini-images', { candidates: [{ finishReason: 'IMAGE_SAFETY' }] }, 'IMAGE_SAFETY'],
  ['gemini-images', { candidates: [{ content: { parts: [{ text: 'I cannot.' }] } }] }, 'I cannot.'],
  ['stability-images', { images: ['AAAA'], finish_reasons: ['Filter reason: prompt'] }, 'Filter reason: prompt'],
  ['titan-images', { images: [], error: 'Blocked.' }, 'Blocked.'],
  ['seedream-images', { data: [{ error: { code: 'Sensitive', message: 'Blocked.' } }] }, 'Blocked.'],
])('images that %s withholds are a refusal: %j', (id, answer, message) => {
  expect(dialects[id].readAnswer(answer).error).toMatchObject({ message })
})

test('a client of Google gets the images of OpenAI', () => {
  const body = { instances: [{ prompt: 'ice' }], parameters: { sampleCount: 2, aspectRatio: '16:9' } }
  const call = translateRequest('openai-images', body, 'imagen')
  expect(call.body).toEqual({ model: 'upstream', prompt: 'ice', n: 2, aspect_ratio: '16:9' })
  expect(call.read({ data: [{ b64_json: 'AAAA', revised_prompt: 'thick ice' }] }).write(usage, options)).toEqual({
    predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA', prompt: 'thick ice' }],
  })
  expect('createTap' in call).toBe(false)
})

test('several images reach vendors that take more than one', () => {
  const addresses = ['a', 'b', 'c', 'd'].map((name) => `https://example.com/${name}.png`)
  const body = { model: 'm', prompt: 'ice', images: addresses.map((image_url) => ({ image_url })) }
  const [a, b, c] = addresses
  expect(translateRequest('xai-images', body).body).toMatchObject({
    images: addresses.map((address) => ({ url: address, type: 'image_url' })),
  })
  expect(translateRequest('seedream-images', body).body).toMatchObject({ image: addresses })
  const { body: written, warnings } = translateRequest('siliconflow-images', body)
  expect(written).toEqual({ model: 'upstream', prompt: 'ice', image: a, image2: b, image3: c })
  expect(warnings).toEqual(['images after the first 3'])
})

test('references of Google’s request become the images and the mask of OpenAI’s', () => {
  const reference = (referenceType: string, bytesBase64Encoded: string) => ({
    referenceType,
    referenceImage: { bytesBase64Encoded, mimeType: 'image/png' },
  })
  const referenceImages = [reference('REFERENCE_TYPE_MASK', 'BBBB'), reference('REFERENCE_TYPE_RAW', 'AAAA')]
  const body = { instances: [{ prompt: 'ice', referenceImages }], parameters: { sampleCount: 1 } }
  expect(translateRequest('openai-images', body, 'imagen').body).toMatchObject({
    images: [{ image_url: 'data:image/png;base64,AAAA' }],
    mask: { image_url: 'data:image/png;base64,BBBB' },
  })
  expect(dialects.imagen.readPrompt(body).images).toBe(2)
})

test('references become the fields of a form where the model takes one', () => {
  const pathContext = { ...inBody, model: '' }
  const call = translationOf('openai-images', 'cloudflare-images')?.(
    edit,
    pathContext,
    '@cf/black-forest-labs/flux-2-dev',
  )
  const { input_image_0: file, ...fields } = call?.body ?? {}
  expect(fields).toEqual({ prompt: 'ice', width: 1536, height: 1024, seed: 7 })
  expect(file).toBeInstanceOf(FormFile)
  expect(call?.warnings).toContain('negative_prompt')
})

test.each([
  ['\x89PNG\r\n\x1a\n....', 'image/png'],
  ['\xff\xd8\xff\xe0........', 'image/jpeg'],
])('an image that comes as its bytes is wrapped: %p', (bytes, mime) => {
  const body = new Uint8Array(Buffer.from(bytes, 'latin1'))
  const pieces = new WrappedImage()
  expect(pieces.push(body.subarray(0, 3))).toHaveLength(0)
  pieces.push(body.subarray(3))
  for (const whole of [wrappedImage(body), pieces.end()])
    expect(JSON.parse(Buffer.from(whole).toString())).toEqual({
      result: { image: Buffer.from(body).toString('base64'), mime },
      success: true,
    })
  const reported = new TextEncoder().encode('{"success":false}')
  expect(wrappedImage(reported)).toBe(reported)
})

test('a whole response becomes a stream with an event per image and the usage once', () => {
  const frames = new WholeImages()
  const answer = { created: 5, data: [{ b64_json: 'AAAA' }, { url }], usage: { input_tokens: 5, output_tokens: 7 } }
  frames.push(new TextEncoder().encode(JSON.stringify(answer)))
  const tap = dialects['openai-images'].createTap({ swallowUsage: false, addUsage: false })
  tap.push(frames.end())
  expect(tap.usage).toMatchObject({ promptTokens: 5, completionTokens: 7, details: { image_count: 2 } })
  expect(tap.usage).not.toHaveProperty('unreported')

  const failing = new WholeImages()
  failing.push(new TextEncoder().encode('{"error":{"message":"boom"}}'))
  const failed = dialects['openai-images'].createTap({ swallowUsage: false, addUsage: false })
  failed.push(failing.end())
  expect(failed.error).toMatchObject({ message: 'boom' })
})
