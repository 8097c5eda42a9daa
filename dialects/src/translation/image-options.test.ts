import { expect, test } from 'bun:test'

import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { inBody } from '../core/views'
import { imageMembers } from './test/members'
import { translationOf } from './translation'

const url = 'https://example.com/a.png'
const edit = {
  images: [{ image_url: 'data:image/png;base64,AAAA' }],
  mask: { image_url: 'data:image/png;base64,BBBB' },
}

const translateRequest = (upstream: DialectId, body: JsonObject, client: DialectId = 'openai-images') => {
  const call = translationOf(client, upstream)?.(body, { ...inBody, model: client === 'imagen' ? 'm' : '' }, 'upstream')
  if (call === undefined) throw new Error(`There is no translation to ${upstream}`)
  return call
}

test.each<[DialectId, string]>([
  ['titan-images', 'nova'],
  ['stability-images', 'sd3-5'],
  ['imagen', 'imagen-3.0-capability-001'],
  ['cloudflare-images', '@cf/black-forest-labs/flux-2-dev'],
  ['cloudflare-images', '@cf/lykon/dreamshaper-8-lcm'],
])('an image by its address is refused for %s, which would draw without it (%s)', (id, model) => {
  const translate = translationOf('openai-images', id)
  const body = { model: 'm', prompt: 'ice', images: [{ image_url: url }] }
  expect(() => translate?.(body, { ...inBody, model: '' }, model)).toThrow(
    "Invalid 'images': this model takes no addresses",
  )
})

const drawing = [
  ['xai-images', 'grok-2-image'],
  ['gemini-images', 'gemini-2.5-flash-image'],
  ['dashscope-images', 'qwen-image-edit'],
  ['minimax-images', 'image-01'],
  ['openrouter-images', 'm'],
  ['seedream-images', 'doubao-seedream-5-0-lite'],
  ['siliconflow-images', 'Qwen/Qwen-Image-Edit'],
  ['stability-images', 'sd3-5'],
  ['titan-images', 'nova'],
  ['imagen', 'imagen-3.0-capability-001'],
  ['cloudflare-images', '@cf/black-forest-labs/flux-2-dev'],
] as const satisfies readonly (readonly [DialectId, string])[]

test.each(drawing)('a file that another vendor keeps is refused for %s, and its id is not sent (%s)', (id, model) => {
  const body = { model: 'm', prompt: 'ice', images: [{ file_id: 'file-foreign' }, ...edit.images] }
  for (const client of ['openai-images', 'openai-image-edits'] as const)
    expect(() => translationOf(client, id)?.(body, { ...inBody, model: '' }, model)).toThrow(
      "Invalid 'images': this model takes no ids of files. Send the image itself.",
    )
})

test('the mask of an edit that another vendor keeps is refused or named, and its id is not sent', () => {
  const body = { model: 'm', prompt: 'ice', images: edit.images, mask: { file_id: 'file-foreign' } }
  const outcomes = drawing.map(([id, model]) => {
    try {
      const { body: sent, warnings } = translationOf('openai-images', id)?.(body, { ...inBody, model: '' }, model) ?? {}
      return !JSON.stringify(sent).includes('file-foreign') && warnings?.includes('mask')
    } catch (error) {
      return String(error).includes("Invalid 'mask'")
    }
  })
  expect(outcomes).toEqual(drawing.map(() => true))
})

test('a file of the upstream’s own account keeps its id', () => {
  const images = [{ file_id: 'files/abc' }]
  expect(JSON.stringify(translateRequest('gemini-images', { model: 'm', prompt: 'ice', images }).body)).toContain(
    '{"fileData":{"fileUri":"files/abc"}}',
  )
  const stored = { model: 'm', prompt: 'ice', images: [{ file_id: 'file-1' }], mask: { file_id: 'file-2' } }
  expect(translateRequest('openai-images', stored, 'openai-image-edits').body).toMatchObject({
    images: [{ file_id: 'file-1' }],
    mask: { file_id: 'file-2' },
  })
})

test('an image in Google’s storage reaches Imagen by its address, and a mask by any other is refused', () => {
  const images = [{ image_url: 'gs://bucket/a.png' }]
  const body = { model: 'm', prompt: 'ice', images }
  expect(translateRequest('imagen', body).body).toMatchObject({
    instances: [{ referenceImages: [{ referenceImage: { gcsUri: 'gs://bucket/a.png' } }] }],
  })
  for (const id of ['imagen', 'titan-images'] as const) {
    const masked = { ...body, images: edit.images, mask: { image_url: url } }
    expect(() => translateRequest(id, masked)).toThrow("Invalid 'mask'")
  }
})

test.each<[DialectId, string, number, readonly string[]]>([
  ['titan-images', 'nova', 2, ['images after the first']],
  ['stability-images', 'sd3-5', 2, ['size', 'images after the first']],
  ['cloudflare-images', '@cf/black-forest-labs/flux-2-dev', 5, ['mask', 'images after the first 4']],
  ['cloudflare-images', '@cf/lykon/dreamshaper-8-lcm', 2, ['mask', 'images after the first']],
])('what %s does not take of an edit is named (%s)', (id, model, count, names) => {
  const body = {
    model: 'm',
    prompt: 'ice',
    size: '1024x1024',
    images: Array.from({ length: count }, () => edit.images[0]),
    mask: edit.mask,
  }
  const { warnings } = translationOf('openai-images', id)?.(body, { ...inBody, model: '' }, model) ?? {}
  expect(warnings).toEqual(expect.arrayContaining([...names]))
})

test.each<[DialectId, string]>([
  ['imagen', 'imagen-4.0-generate-001'],
  ['seedream-images', 'doubao-seedream-5-0-lite'],
])('%s is not asked for a format that it does not draw, which is named', (id, model) => {
  const body = { model: 'm', prompt: 'ice', output_format: 'webp' }
  const call = translationOf('openai-images', id)?.(body, { ...inBody, model: '' }, model)
  expect(call?.warnings).toEqual(['output_format'])
  expect(JSON.stringify(call?.body)).not.toContain('webp')
})

test.each(drawing)('each option of a picture is carried to %s or named (%s)', (id, model) => {
  const plain = { model: 'm', prompt: 'ice' }
  const translateOptions = (options: JsonObject) =>
    translationOf('openai-images', id)?.({ ...plain, ...options }, { ...inBody, model: '' }, model)
  const usual = JSON.stringify(translateOptions({})?.body)
  const lost = Object.entries(imageMembers).filter(([name, { value }]) => {
    const { body, warnings = [] } = translateOptions({ [name]: value }) ?? {}
    return JSON.stringify(body) === usual && warnings.length === 0
  })
  expect(lost.map(([name]) => name)).toEqual([])
})

test('options that only the client’s vendor has are named', () => {
  const options = { style: 'vivid', moderation: 'low', input_fidelity: 'high', partial_images: 2, stream: true }
  expect(translateRequest('xai-images', { model: 'm', prompt: 'ice', ...options }).warnings).toEqual([
    'style',
    'moderation',
    'input_fidelity',
    'partial_images',
  ])
  const plain = { model: 'm', prompt: 'ice', moderation: 'auto', partial_images: 0 }
  expect(translateRequest('xai-images', plain).warnings).toEqual([])
  const google = {
    instances: [{ prompt: 'ice' }],
    parameters: { sampleCount: 1, sample_image_size: '1K', personGeneration: 'dont_allow' },
  }
  expect(translateRequest('openai-images', google, 'imagen').warnings).toEqual(['personGeneration'])
})
