import { fileURLToPath } from 'node:url'

/** What the runtime's sampling profiler writes, as far as it is needed. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Microseconds since 1970. */
  readonly startTime: number
  /** Node ids, one a sample, and the microseconds before each. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

/** Microseconds by name, the most first. */
export type Spent = readonly (readonly [name: string, microseconds: number])[]

/** The samples between two moments, in milliseconds since 1970. */
export function between(profile: CpuProfile, from: number, to: number): CpuProfile {
  let at = profile.startTime
  const counted = profile.timeDeltas.map((delta) => {
    at += delta
    return at >= from * 1000 && at <= to * 1000
  })
  const isCounted = (_: number, index: number) => counted[index] === true
  return { ...profile, samples: profile.samples.filter(isCounted), timeDeltas: profile.timeDeltas.filter(isCounted) }
}

/** Microseconds in each function itself, without what it called. */
export function spentByFunction(profile: CpuProfile, root: string): Spent {
  const times = selfTimes(profile)
  return sumBy(profile.nodes, times, ({ callFrame: { functionName, url, lineNumber } }) => {
    const name = functionName || '(anonymous)'
    return url === '' ? name : `${name} ${locationOf(url, root)}:${lineNumber + 1}`
  })
}

/**
 * Microseconds in each file of the relay, and else in each part of the gateway, package and library. What the runtime itself does counts for the code that called
 * it: that is where it could be saved.
 */
export function spentByStage(profile: CpuProfile, root: string): Spent {
  const times = selfTimes(profile)
  const callers = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])))
  return sumBy(profile.nodes, times, (node) => {
    for (let at: ProfileNode | undefined = node; at; at = callers.get(at.id)) {
      const stage = stageOf(at.callFrame.url, root)
      if (stage) return stage
    }
    return node.callFrame.functionName === '(idle)' ? '(idle)' : '(runtime)'
  })
}

function stageOf(url: string, root: string): string | null {
  const place = locationOf(url, root)
  if (url === '' || place === url) return null
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? []
  if (library) return library
  const [gateway, , area = '', ...path] = place.split('/')
  if (gateway !== 'gateway') return gateway ?? null
  return [area, ...(area === 'relay' ? path : path.slice(0, -1).slice(0, 1))].join('/')
}

function locationOf(url: string, root: string): string {
  const path = url.startsWith('file://') ? fileURLToPath(url) : url
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : url
}

function selfTimes({ samples, timeDeltas }: CpuProfile): Map<number, number> {
  const times = new Map<number, number>()
  for (const [at, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[at] ?? 0))
  return times
}

function sumBy(
  nodes: readonly ProfileNode[],
  times: ReadonlyMap<number, number>,
  nameOf: (node: ProfileNode) => string,
): Spent {
  const sums = new Map<string, number>()
  for (const node of nodes) {
    const time = times.get(node.id) ?? 0
    if (time === 0) continue
    const name = nameOf(node)
    sums.set(name, (sums.get(name) ?? 0) + time)
  }
  return [...sums].sort(([, one], [, other]) => other - one)
}
