import { expect, test } from 'bun:test'

import { z } from 'zod'

import { handlers } from '../../test/all-handlers'
import { openApiDocument } from './openapi'

const Operation = z.object({
  operationId: z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: z.looseObject({}),
    }),
  ),
  requestBody: z.looseObject({ content: z.looseObject({}) }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
})
const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string().startsWith('/api/'), z.partialRecord(z.enum(['get', 'post', 'put', 'delete']), Operation)),
  components: z.looseObject({}),
})

// as it arrives
const document = Document.parse(JSON.parse(JSON.stringify(openApiDocument(handlers.map(({ route }) => route)))))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
)

test('the document describes every route, each under a name of its own', () => {
  expect(operations).toHaveLength(handlers.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(handlers.length)
})

test('the document describes every parameter that a path names', () => {
  for (const { path, parameters } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(described).toEqual(named as string[])
  }
})

test('the document says that unknown fields of a body are refused', () => {
  const login = document.paths['/api/user/login']?.post
  expect(JSON.stringify(login?.requestBody)).toContain('"additionalProperties":false')
  expect(login?.security).toEqual([])
})

test('the document says which routes return a file, and that their failures are envelopes', () => {
  expect(document.paths['/api/log/export']?.get?.responses['200']).toMatchObject({
    description: expect.stringContaining('file'),
    content: { 'text/csv': { schema: { type: 'string' } }, 'application/json': {} },
  })
})
