import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import { objectNames } from './vendor-objects/stored-objects'
import { noUsage } from '../core/usage'
import { mistralOcr } from './mistral-ocr'

const document = { type: 'document_url', document_url: 'https://docs.example/a.pdf' }
const min = { model: 'mistral-ocr-latest', document }

describe('a request to read a document', () => {
  test.each<[string, object, { choices: number; maxPages?: number }]>([
    ['all pages, as many as it has', {}, { choices: 1, maxPages: 1000 }],
    ['listed pages', { pages: [0, 3, 4] }, { choices: 3 }],
    ['spans of pages', { pages: '0-3,7' }, { choices: 5 }],
    ['pages that cannot be counted', { pages: '3-' }, { choices: 1, maxPages: 1000 }],
    ['a span that ends before it begins', { pages: '0-999,998-0' }, { choices: 1, maxPages: 1000 }],
    ['a span of a part of a page', { pages: '0-0.5' }, { choices: 1, maxPages: 1000 }],
    ['a picture', { document: { type: 'image_url', image_url: 'https://img.example/a.png' } }, { choices: 1 }],
    ['with annotations', { pages: [0], document_annotation_format: { type: 'json_schema' } }, { choices: 1 }],
  ])('counts %s', (_name, members, expected) => {
    const { choices, maxPages } = mistralOcr.readRequest({ ...min, ...members }, inBody)
    expect({ choices, ...(maxPages !== undefined && { maxPages }) }).toEqual(expected)
  })

  test('annotations have a price of their own', () => {
    const annotated = mistralOcr.readRequest({ ...min, bbox_annotation_format: { type: 'json_schema' } }, inBody)
    expect(annotated.image).toEqual({ size: null, quality: 'annotated' })
    expect(mistralOcr.readRequest(min, inBody).image).toBeUndefined()
  })

  test.each([
    [{ model: 'm' }, 'document', 'missing_required_parameter'],
    [{ model: 'm', document: 'a' }, 'document', 'invalid_type'],
    [{ ...min, pages: 3 }, 'pages', 'invalid_type'],
    [{ document }, 'model', 'missing_required_parameter'],
  ])('%j is refused for its %s', (body, param, code) => {
    const catchRefusal = (): unknown => {
      try {
        return mistralOcr.readRequest(body, inBody)
      } catch (error) {
        return error
      }
    }
    expect(catchRefusal()).toBeInstanceOf(DialectError)
    expect(catchRefusal()).toMatchObject({ param, code })
  })

  test('a file is looked up among those of the account', () => {
    const body = { ...min, document: { type: 'file', file_id: 'file-1' } }
    expect(objectNames(body)).toMatchObject([{ id: 'file-1', place: 'document.file_id' }])
  })

  test('what a person wrote is the prompt, beside a file', () => {
    const prompt = mistralOcr.readPrompt({ ...min, document_annotation_prompt: 'Find the sum.' })
    expect(prompt).toMatchObject({ texts: ['Find the sum.'], files: 1 })
  })
})

describe('a read document', () => {
  const pages = [
    { index: 0, markdown: '# One' },
    { index: 1, markdown: 'Two' },
  ]

  test.each<[string, object, number | null]>([
    ['as the vendor counts them', { pages, usage_info: { pages_processed: 5 } }, 5],
    ['as they came, where it does not', { pages }, 2],
    ['as they came, where its count is impossible', { pages, usage_info: { pages_processed: -1 } }, 2],
    ['not at all without any', {}, null],
  ])('used pages, %s', (_name, answer, count) => {
    const { usage } = mistralOcr.readAnswer({ ...answer })
    expect(usage).toEqual(count === null ? null : { ...noUsage, details: { image_count: count } })
  })

  test('its text is that of its pages', () => {
    const view = mistralOcr.readAnswer({ pages })
    expect([view.completionText(), view.isEmpty, view.error]).toEqual(['# One\nTwo', false, null])
    expect(mistralOcr.readAnswer({ error: { message: 'No.' } }).error).toMatchObject({ message: 'No.' })
  })
})
