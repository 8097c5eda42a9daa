import { variableNames } from './config'

/** Names of the same settings in other programs. */
const otherNames: Readonly<Record<string, string>> = {
  DB_URL: 'DATABASE_URL',
  DATABASE_DSN: 'DATABASE_URL',
  POSTGRES_URL: 'DATABASE_URL',
  SQL_DSN: 'DATABASE_URL',
  REDIS_CONN_STRING: 'REDIS_URL',
  SESSION_SECRET: 'SECRET_KEY',
  CRYPTO_SECRET: 'SECRET_KEY',
}
/** Close to a name of ours, and meant for other programs. */
const meantForOthers: ReadonlySet<string> = new Set(['NO_PROXY', 'ALL_PROXY', 'FTP_PROXY', 'SOCKS_PROXY', 'HOSTS'])

/** A variable that looks like one of ours and has no effect. */
export interface UnknownVariable {
  readonly name: string
  /** Null for one of OpenTelemetry's that the gateway does not know. */
  readonly meant: string | null
}

/**
 * Returns each variable that looks like one of ours and is not: misspelled, named as in another program, or one of OpenTelemetry's that
 * has no effect here. Without this a gateway silently starts on the wrong database.
 */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  const known = variableNames()
  const names = Object.keys(environment).filter((name) => environment[name] && !known.includes(name))
  return names.sort().flatMap((name): UnknownVariable[] => {
    if (name.startsWith('OTEL_')) return [{ name, meant: null }]
    const meant = otherNames[name] ?? (meantForOthers.has(name) ? undefined : closest(name, known))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function closest(name: string, known: readonly string[]): string | undefined {
  // Only secrets may be in files.
  const inFile = name.replace(/_FILE$/, '')
  if (inFile !== name && known.includes(inFile)) return inFile
  const plain = name.replace(/^TOLLGATE_/, '')
  if (plain !== name && known.includes(plain)) return isServiceLink(name) ? undefined : plain
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return undefined
  const distances = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
  const [best] = distances.sort((one, other) => one.distance - other.distance)
  if (!best || best.distance > Math.floor(best.candidate.length / 5)) return undefined
  return best.candidate
}

/** Kubernetes and Docker set these for a service called tollgate. */
const isServiceLink = (name: string) => name === 'TOLLGATE_PORT' || name === 'TOLLGATE_HOST'

/** Levenshtein distance, computed by rows. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
