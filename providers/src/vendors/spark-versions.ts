/** A generation of the vendor's models: what it is called in a request and where it is served. */
export interface SparkVersion {
  readonly domain: string
  readonly path: string
  /** Instructions of the operator may stand in a message of their own. */
  readonly takesSystem: boolean
}

/** By the versions that channels and model names say. https://www.xfyun.cn/doc/spark/Web.html */
const versions: ReadonlyMap<string, SparkVersion> = new Map([
  ['v1.1', { domain: 'lite', path: '/v1.1/chat', takesSystem: false }],
  ['v2.1', { domain: 'generalv2', path: '/v2.1/chat', takesSystem: false }],
  ['v3.1', { domain: 'generalv3', path: '/v3.1/chat', takesSystem: false }],
  ['v3.1-128k', { domain: 'pro-128k', path: '/chat/pro-128k', takesSystem: false }],
  ['v3.5', { domain: 'generalv3.5', path: '/v3.5/chat', takesSystem: true }],
  ['v3.5-32k', { domain: 'max-32k', path: '/chat/max-32k', takesSystem: true }],
  ['v4.0', { domain: '4.0Ultra', path: '/v4.0/chat', takesSystem: true }],
  ['x1', { domain: 'x1', path: '/v1/x1', takesSystem: true }],
])

const byDomain: ReadonlyMap<string, SparkVersion> = new Map(
  [...versions.values()].map((version) => [version.domain.toLowerCase(), version]),
)

const versionInModel = /^(?:SparkDesk|Spark)-(.+)$/i

/** Returns the version by its number, by its domain, or by the rule that new ones have followed so far. */
function versionOf(name: string): SparkVersion {
  const wanted = name.toLowerCase()
  const known = versions.get(wanted) ?? byDomain.get(wanted) ?? versions.get(`v${wanted}`)
  return known ?? { domain: `general${name}`, path: `/${encodeURIComponent(name)}/chat`, takesSystem: true }
}

/** The version that a model names itself; null where it names none. */
export function versionInName(model: string): SparkVersion | null {
  const named = versionInModel.exec(model)?.[1]
  return named === undefined ? (byDomain.get(model.toLowerCase()) ?? null) : versionOf(named)
}

/** The version of a call: the client's, the model's, the channel's, or 2.1. */
export const sparkVersion = (model: string, asked: string | undefined, other: string): SparkVersion =>
  asked ? versionOf(asked) : (versionInName(model) ?? versionOf(other.trim() || 'v2.1'))
