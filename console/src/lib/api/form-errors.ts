import type { ApiError, ErrorCode } from '@tollgate/contract'
import type { z } from 'zod'

import { notifyError } from '../browser/notify'

type FieldOf<Field extends string> = Partial<Record<ErrorCode, Field>>

/** The part of a form that accepts errors. */
interface ErrorTaking {
  readonly setFieldError: (field: string, message: string) => void
}

/** Shows a server's refusal at its field; without one, by default as a toast. */
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

/** Focuses the first invalid field in display order, once it is drawn. For the second argument of a form's `onSubmit`. */
export function focusFirstFault(errors: Readonly<Record<string, unknown>>): void {
  requestAnimationFrame(() => {
    const fields = [...document.querySelectorAll<HTMLElement>('[data-path]')]
    fields.find(({ dataset }) => dataset['path'] !== undefined && dataset['path'] in errors)?.focus()
  })
}

/** Converts a schema into form validation: path -> sentence, where `say` translates an issue's message (a text key). */
export const checkedBy =
  <Values>(schema: z.ZodType<unknown, Values>, translate: (key: string) => string) =>
  (values: Values): Record<string, string> => {
    const result = schema.safeParse(values)
    if (result.success) return {}
    return Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join('.'), translate(message)]))
  }
