/** Formats a JSON line of the log for a person at a terminal: time of day, level, message, fields, and the stack of an error. */
export function prettyLine(line: string): string {
  const fields = parseLine(line)
  if (!fields) return line.endsWith('\n') ? line : `${line}\n`
  const { level, time, msg, worker: _worker, error, ...rest } = fields
  const head = `${timeOfDay(time)} ${textOf(level).padEnd(5)} ${textOf(msg)}`
  const details = Object.entries(rest).map(([name, value]) => `  ${name}=${textOf(value)}`)
  return `${head}${details.join('')}\n${error === undefined ? '' : `${errorText(error)}\n`}`
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const timeOfDay = (time: unknown) => (typeof time === 'string' ? time.slice(11, 19) : '')

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function errorText(error: unknown): string {
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  return `    ${typeof stack === 'string' ? stack : textOf(error)}`
}
