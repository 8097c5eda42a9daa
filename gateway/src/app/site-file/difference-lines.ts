import { redact } from '../../platform/telemetry/log/redact'

const maxShownLength = 160

/** Returns a value on one line, cut where it is long, without what looks like a secret. */
export function shownValue(value: unknown): string {
  const text = redact(JSON.stringify(value) ?? 'absent')
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

type Members = Readonly<Record<string, unknown>>

/** Returns a line for each member that differs. */
export const differenceLines = (before: Members, after: Members): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !Bun.deepEquals(before[name], after[name]))
    .map((name) => `    ${name}: ${shownValue(before[name])} → ${shownValue(after[name])}`)
