import { describe, expect, test } from 'bun:test'

import { explicitObjectSchema, plainObjectSchema } from './object-schema'
import { objectOf } from './read'

const text = { type: 'string' }

describe('the schema of the arguments of a tool', () => {
  test.each([
    [
      'alternatives become the properties of all, required where each requires them',
      {
        anyOf: [
          { type: 'object', properties: { parent: text, content: text }, required: ['parent', 'content'] },
          { type: 'object', properties: { parent: text, url: text }, required: ['parent', 'url'] },
        ],
      },
      { type: 'object', properties: { parent: text, content: text, url: text }, required: ['parent'] },
    ],
    [
      'alternatives that only require leave the properties as they are',
      { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { a: text, b: text } },
    ],
    [
      'a property that alternatives describe differently is any of these',
      { anyOf: [{ properties: { a: text } }, { properties: { a: { type: 'number' } } }] },
      { type: 'object', properties: { a: { anyOf: [text, { type: 'number' }] } } },
    ],
    [
      'what must hold together is joined with all that it requires',
      {
        allOf: [
          { properties: { a: text }, required: ['a'] },
          { properties: { b: text }, required: ['b'] },
        ],
        not: {},
      },
      { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] },
    ],
    [
      'a reference at the top is followed',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { a: text } } } },
      { type: 'object', properties: { a: text }, $defs: { a: { type: 'object', properties: { a: text } } } },
    ],
    ['a schema that may be null is of an object', { type: ['object', 'null'] }, { type: 'object' }],
  ])('%s', (_what, schema, plain) => expect(plainObjectSchema(schema)).toEqual(plain))

  test('alternatives within alternatives are alternatives of the whole', () => {
    const number = { type: 'number' }
    const flag = { type: 'boolean' }
    const inner = { anyOf: [{ properties: { a: number }, required: ['a'] }, { properties: { a: flag } }] }
    expect(plainObjectSchema({ oneOf: [{ properties: { a: text }, required: ['a', 'b'] }, inner] })).toEqual({
      type: 'object',
      properties: { a: { anyOf: [text, number, flag] } },
    })
    expect(plainObjectSchema({ anyOf: [{ allOf: [{ required: ['a'] }] }] })).toEqual({
      type: 'object',
      properties: {},
      required: ['a'],
    })
  })

  test('more alternatives, names and comparisons than any tool has are not read', () => {
    const names = Array.from({ length: 2000 }, (_, at) => `p${at}`)
    const branches = Array.from({ length: 100 }, (_, at) => ({ properties: { [`b${at}`]: text } }))
    expect(Object.keys(objectOf(plainObjectSchema({ anyOf: branches })['properties']))).toHaveLength(60)
    const large = { properties: Object.fromEntries(names.map((name) => [name, text])) }
    const read = plainObjectSchema({ anyOf: [large, { properties: { late: text } }] })
    expect(Object.keys(objectOf(read['properties']))).toEqual(names)
    const long = () => ({ enum: names.map((name) => ({ name })) })
    const described = plainObjectSchema({ anyOf: [1, 2, 3, 4].map(() => ({ properties: { a: long() } })) })
    expect(objectOf(objectOf(described['properties'])['a'])['anyOf']).toHaveLength(2)
  })

  test('alternatives below the top stay', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [text, { type: 'null' }] } } }
    expect(explicitObjectSchema(schema)).toBe(schema)
  })

  test.each([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [
      { type: 'object', properties: { a: { type: ['array', 'null'] } } },
      { type: 'object', properties: { a: { type: ['array', 'null'], items: {} } } },
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'array', items: { anyOf: [{ type: 'array' }] } } },
        $defs: { b: true },
      },
      {
        type: 'object',
        properties: { a: { type: 'array', items: { anyOf: [{ type: 'array', items: {} }] } } },
        $defs: { b: true },
      },
    ],
  ])('properties and items are said where %j leaves them out', (schema, explicit) =>
    expect(explicitObjectSchema(schema)).toEqual(explicit),
  )

  test('schemas that hold themselves come to an end', () => {
    const branches = Array.from({ length: 20 }, () => ({ $ref: '#' }))
    expect(plainObjectSchema({ properties: { a: text }, anyOf: branches, allOf: branches })).toEqual({
      type: 'object',
      properties: { a: text },
    })
  })
})
