import { z } from 'zod'

const strictForms = new WeakMap<z.ZodType, z.ZodType>()

/** Returns the same schema, but objects at every depth refuse fields they do not name. An object declared loose stays so. */
export function strict(schema: z.ZodType): z.ZodType {
  const known = strictForms.get(schema)
  if (known) return known
  const form = strictForm(schema)
  strictForms.set(schema, form)
  return form
}

function strictForm(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return strictObject(schema)
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: within(schema.def.element) })
  if (schema instanceof z.ZodUnion) return schema.clone({ ...schema.def, options: schema.def.options.map(within) })
  if (schema instanceof z.ZodOptional) return schema.clone({ ...schema.def, innerType: within(schema.def.innerType) })
  if (schema instanceof z.ZodNullable) return schema.clone({ ...schema.def, innerType: within(schema.def.innerType) })
  if (schema instanceof z.ZodDefault) return schema.clone({ ...schema.def, innerType: within(schema.def.innerType) })
  if (schema instanceof z.ZodPipe) return schema.clone({ ...schema.def, in: within(schema.def.in) })
  return schema
}

const within = (schema: z.core.$ZodType): z.core.$ZodType => (schema instanceof z.ZodType ? strict(schema) : schema)

function strictObject(schema: z.ZodObject): z.ZodType {
  const shape = Object.fromEntries(Object.entries(schema.def.shape).map(([name, field]) => [name, within(field)]))
  return schema.clone({ ...schema.def, shape, catchall: schema.def.catchall ?? z.never() })
}
