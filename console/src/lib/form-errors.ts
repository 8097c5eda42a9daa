import type { ApiError, ErrorCode } from '@tollgate/contract'
import type { z } from 'zod'

import { notifyError } from './notify'

type FieldOf<Field extends string> = Partial<Record<ErrorCode, Field>>

/** What a form gives: a way to write under a field. */
interface ErrorTaking {
  readonly setFieldError: (field: string, message: string) => void
}

/** Show a server's refusal under the field it is about; what is about none becomes a toast, by default. */
export const showAtField =
  <Field extends string>(
    form: ErrorTaking,
    fields: FieldOf<Field>,
    otherwise: (error: ApiError) => void = notifyError,
  ) =>
  (error: ApiError): void => {
    const field = error.code && fields[error.code]
    if (field) form.setFieldError(field, error.message)
    else otherwise(error)
  }

/** A schema as a form's validation: path -> sentence, where `say` turns an issue's message (a text key) into words. */
export const checkedBy =
  <Values>(schema: z.ZodType<unknown, Values>, say: (key: string) => string) =>
  (values: Values): Record<string, string> => {
    const result = schema.safeParse(values)
    if (result.success) return {}
    return Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join('.'), say(message)]))
  }
