/** Returns JSON with everything beyond ASCII kept readable, its further lines indented by so many spaces. */
export const json = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

/** Returns a text between single quotes, as a POSIX shell reads it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns JSON as Python writes it. */
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

/** Returns a raw string of Go, or a quoted one where the text holds a back quote. */
export const goQuoted = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)
