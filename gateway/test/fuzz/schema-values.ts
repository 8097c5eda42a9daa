import * as fc from 'fast-check'
import { z } from 'zod'

/** What this reads of a schema in JSON. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minLength?: number
  readonly minItems?: number
}

/** Values that mean something here, by the name of their member. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

/** Values that a schema takes, mostly: refinements are not known. */
export const valuesOf = (schema: z.ZodType, known: KnownValues): fc.Arbitrary<unknown> =>
  valuesAt(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, '', known)

/** Values by the names of the members, for paths and queries. */
export function membersOf(schema: z.ZodType, known: KnownValues): Record<string, fc.Arbitrary<unknown>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesAt(one, name, known)]))
}

const anything = fc.constantFrom<unknown>('default', 'gpt-4o', 1, true, null, [], {})

function valuesAt(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  const plain = plainValues(schema, name, known)
  const meaningful = Object.hasOwn(known, name) ? known[name] : undefined
  return meaningful ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...meaningful) }, plain) : plain
}

function plainValues(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesAt(one, name, known)))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0 ? anything : fc.oneof(...types.map((type) => valuesOfType(type, schema, name, known)))
}

function valuesOfType(type: string, schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (type === 'object') return objects(schema, known)
  if (type === 'array')
    return fc.array(valuesAt(schema.items ?? {}, name, known), { minLength: schema.minItems, maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'string') return texts(schema)
  return numbers(schema, type === 'integer')
}

function objects({ properties = {}, required = [], additionalProperties }: Schema, known: KnownValues) {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, valuesAt(one, name, known)]),
  )
  if (Object.keys(members).length > 0 || typeof additionalProperties !== 'object')
    return fc.record(members, { requiredKeys: required.filter((name) => Object.hasOwn(members, name)) })
  return fc.dictionary(fc.constantFrom('default', 'vip', 'gpt-4o', 'a'), valuesAt(additionalProperties, '', known), {
    maxKeys: 3,
  })
}

const plainTexts = ['default', 'gpt-4o', 'a text', 'ann', '1', 'https://example.test/a', 'ann@example.test']

function texts({ pattern, minLength = 0, maxLength = Infinity }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined || pattern.includes('Cc'))
    return fc.constantFrom(...plainTexts).map((text) => text.padEnd(minLength, 'x').slice(0, maxLength))
  return fc.stringMatching(new RegExp(pattern))
}

function numbers({ minimum = -5, maximum = 2 ** 53 - 1 }: Schema, isWhole: boolean): fc.Arbitrary<number> {
  const [min, max] = [Math.max(minimum, -(2 ** 53) + 1), Math.min(maximum, 2 ** 53 - 1)]
  const near = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, Math.max(min, 0) + 8)) })
  return fc.oneof(near, fc.constantFrom(min, max), isWhole ? near : near.map((value) => value + 0.25))
}
