/** What a field of a form may contain. */
export type FormValue =
  | string
  | number
  | boolean
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue }

/**
 * Returns a form body with nested names in brackets: `line_items[0][quantity]=1`. What is undefined is left out.
 * https://docs.stripe.com/api/metadata shows the form.
 */
export function formText(fields: Readonly<Record<string, FormValue>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) append(form, name, value)
  return form.toString()
}

function append(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === undefined) return
  if (typeof value !== 'object') form.append(name, String(value))
  else for (const [key, inner] of Object.entries(value)) append(form, `${name}[${key}]`, inner)
}
