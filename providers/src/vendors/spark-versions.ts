/** A generation of the vendor's models: what it is called in a request and where it is served. */
export interface SparkVersion {
  readonly domain: string
  /** The path of its WebSocket; null where it has none that is documented. */
  readonly path: string | null
  /** What stands before `/chat/completions` over HTTP. */
  readonly root: string
  /** Instructions of the operator may stand in a message of their own. */
  readonly takesSystem: boolean
}

const older = { root: '/v1', takesSystem: false } as const
const newer = { root: '/v1', takesSystem: true } as const

/** By the versions that channels and model names say. https://www.xfyun.cn/doc/spark/Web.html and …/X1http.html */
const versions: ReadonlyMap<string, SparkVersion> = new Map<string, SparkVersion>([
  ['v1.1', { ...older, domain: 'lite', path: '/v1.1/chat' }],
  ['v2.1', { ...older, domain: 'generalv2', path: '/v2.1/chat' }],
  ['v3.1', { ...older, domain: 'generalv3', path: '/v3.1/chat' }],
  ['v3.1-128k', { ...older, domain: 'pro-128k', path: '/chat/pro-128k' }],
  ['v3.5', { ...newer, domain: 'generalv3.5', path: '/v3.5/chat' }],
  ['v3.5-32k', { ...newer, domain: 'max-32k', path: '/chat/max-32k' }],
  ['v4.0', { ...newer, domain: '4.0Ultra', path: '/v4.0/chat' }],
  ['x1', { ...newer, root: '/v2', domain: 'x1', path: '/v1/x1' }],
  ['x1.5', { ...newer, root: '/v2', domain: 'spark-x', path: '/v1/x1' }],
  ['x2', { ...newer, root: '/x2', domain: 'spark-x', path: '/x2' }],
  ['x2-flash', { ...newer, root: '/agent/v1', domain: 'spark-x', path: null }],
])

/** The newest version of each domain, but for the quick one. */
const byDomain: ReadonlyMap<string, SparkVersion> = new Map(
  [...versions.values()].filter(({ path }) => path !== null).map((version) => [version.domain.toLowerCase(), version]),
)

const versionInModel = /^(?:SparkDesk|Spark)-(.+)$/i

/** Returns the version by its number, by its domain, or by the rule that new ones have followed so far. */
function versionOf(name: string): SparkVersion {
  const requested = name.toLowerCase()
  const known = versions.get(requested) ?? byDomain.get(requested) ?? versions.get(`v${requested}`)
  return known ?? { ...newer, domain: `general${name}`, path: `/${encodeURIComponent(name)}/chat` }
}

/** The version that a model names itself; null where it names none. */
export function versionInName(model: string): SparkVersion | null {
  const domain = byDomain.get(model.toLowerCase())
  const named = versionInModel.exec(model)?.[1]
  return domain ?? (named === undefined ? null : versionOf(named))
}

/** The version of a call: the client's, the model's, the channel's, or 2.1. */
export const sparkVersion = (model: string, requested: string | undefined, other: string): SparkVersion =>
  requested ? versionOf(requested) : (versionInName(model) ?? versionOf(other.trim() || 'v2.1'))
