import { isObject, type JsonObject } from '../../dialects/src/index'

/** Where one response in a fixture comes from. */
export interface Provenance {
  /** What it answers, such as `chat` or `error`. */
  readonly part: string
  readonly kind: 'recorded' | 'documented' | 'invented'
  /** The day of a recording. */
  readonly on?: string
  /** Where the vendor documents it. */
  readonly pages: readonly string[]
}

export interface FixtureProvenance {
  readonly parts: readonly Provenance[]
  /** Responses that do not say where they come from. */
  readonly faults: readonly string[]
}

/** Returns where each response of a fixture comes from, and which do not say it. */
export function provenanceOf(fixture: JsonObject): FixtureProvenance {
  const parts: Provenance[] = []
  const faults: string[] = []
  walk(fixture, { path: '', isCovered: false, parts, faults })
  if (parts.length === 0 && faults.length === 0) faults.push('has no response with a source')
  return { parts, faults }
}

interface Walk {
  /** Empty for the fixture itself. */
  readonly path: string
  /** What stands above says the source of all that is below. */
  readonly isCovered: boolean
  readonly parts: Provenance[]
  readonly faults: string[]
}

/** What is sent, what a vendor said, and what is made of it. */
const leaves: ReadonlySet<string> = new Set([
  'source',
  'request',
  'upstream',
  'call',
  'target',
  'answer',
  'answers',
  'body',
  'reply',
  'means',
  'malformed',
])

function walk(value: unknown, at: Walk): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, { ...at, path: `${at.path}[${index}]` })
    return
  }
  if (!isObject(value)) return
  const known = sourceIn(value)
  if (known) at.parts.push({ ...known, part: nameOf(at.path, value) })
  else if (isResponse(value) && !at.isCovered)
    at.faults.push(`${at.path || 'the fixture'} has a response without a source`)
  const isCovered = at.isCovered || (known !== null && !isResponse(value))
  for (const [name, member] of Object.entries(value))
    if (!leaves.has(name)) walk(member, { ...at, isCovered, path: at.path === '' ? name : `${at.path}.${name}` })
}

/** A body with an address or an action is one that is sent. */
const isResponse = (value: JsonObject): boolean =>
  'answer' in value ||
  'answers' in value ||
  'reply' in value ||
  typeof value['stream'] === 'string' ||
  ('body' in value && !('url' in value) && !('action' in value))

function sourceIn({ source }: JsonObject): Omit<Provenance, 'part'> | null {
  if (!isObject(source)) return null
  const { kind, on, page, pages } = source
  const all = [page, pages].flat().filter((address): address is string => typeof address === 'string')
  if (kind === 'recorded' && typeof on === 'string') return { kind, on, pages: [] }
  if (kind === 'documented' && all.length > 0) return { kind, pages: all }
  return kind === 'invented' ? { kind, pages: [] } : null
}

const names: Readonly<Record<string, string>> = {
  error: 'error',
  errorInAnswer: 'failure with status 200',
  modelList: 'list of models',
  balance: 'balance',
  replies: 'replies',
  reports: 'reports',
}

function nameOf(path: string, { way, submissions }: JsonObject): string {
  if (submissions !== undefined) return 'videos'
  if (isObject(way)) {
    const model = typeof way['model'] === 'string' && way['model'] !== '' ? ` (${way['model']})` : ''
    return `${String(way['dialect'] ?? way['mode'])}${model}`
  }
  const last =
    path
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? ''
  return names[last] ?? (last === '' ? 'chat' : last)
}
