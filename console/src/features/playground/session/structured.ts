import * as z from 'zod'

import type { Parameters } from './settings'

/** Output schemas and tools for a model, typed as JSON. */

const ObjectSchema = z.record(z.string(), z.unknown())

/** The format of chat completions; a plain JSON schema is wrapped in one. */
const NamedSchema = z.object({ name: z.string().min(1), schema: ObjectSchema }).loose()

const Named = z.object({ name: z.string().regex(/^[\w-]{1,64}$/) }).loose()
/** A tool in the format of chat completions; the function alone is accepted too. */
const Tool = z.union([
  z.object({ type: z.literal('function'), function: Named }).loose(),
  Named.transform((described) => ({ type: 'function' as const, function: described })),
])
const Tools = z.union([z.array(Tool).min(1), Tool.transform((tool) => [tool])])

/** Why a text is invalid: a syntax error (with the parser's message), or JSON of another shape. */
export type StructureFault = { readonly kind: 'syntax'; readonly message: string } | { readonly kind: 'shape' }

type Read<T> = { readonly value: T } | { readonly fault: StructureFault }

function read<T>(text: string, schema: z.ZodType<T>): Read<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: { kind: 'syntax', message: error instanceof Error ? error.message : String(error) } }
  }
  const known = schema.safeParse(value)
  return known.success ? { value: known.data } : { fault: { kind: 'shape' } }
}

export const readTools = (text: string) => read(text, Tools)

/** Parses the `json_schema` of a response format. */
export const readSchema = (text: string) =>
  read(text, z.union([NamedSchema, ObjectSchema.transform((schema) => ({ name: 'answer', strict: true, schema }))]))

/** Returns why a question cannot be sent. */
export function structureFault({ schema, tools }: Parameters): StructureFault | undefined {
  const reads = [...(schema.isOn ? [readSchema(schema.value)] : []), ...(tools.isOn ? [readTools(tools.value)] : [])]
  return reads.flatMap((one) => ('fault' in one ? one.fault : []))[0]
}

/** Returns the fields of the body; none for invalid texts. */
export function structureOf({ json, schema, tools }: Pick<Parameters, 'json' | 'schema' | 'tools'>) {
  const requested = schema.isOn ? readSchema(schema.value) : undefined
  const offered = tools.isOn ? readTools(tools.value) : undefined
  return {
    ...(json.isOn && { response_format: { type: 'json_object' } }),
    ...(requested &&
      'value' in requested && { response_format: { type: 'json_schema', json_schema: requested.value } }),
    ...(offered && 'value' in offered && { tools: offered.value }),
  }
}

export const exampleSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
}

export const exampleTools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Current weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
