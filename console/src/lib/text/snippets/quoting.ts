/** Returns JSON with non-ASCII characters unescaped and further lines indented by this many spaces. */
export const json = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

/** Returns a single-quoted text for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns JSON as a Python literal. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

/** Returns a raw string of Go, or a quoted one if the text contains a backquote. */
export const goQuoted = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)
