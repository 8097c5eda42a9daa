import type { FixedUpstream } from '@tollgate/simulator'

import type { Cores } from './processes'
import type { Profile } from './profiles'

/** Something that answers the load: the upstream itself, or what stands before it. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly key: string
  /** Headers its clients must send besides the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its clients may speak another dialect than the upstream. */
  readonly translates: boolean
  /** Processes whose CPU and memory count; none for the upstream, which shares its process with the load. */
  processIds(): number[]
  /** Where it keeps its books, which must equal what the upstream served. */
  readonly books?: { readonly dataDir: string; readonly profile: Profile }
  stop(): Promise<void>
}

/** What a target needs to start. */
export interface Ground {
  readonly upstream: FixedUpstream
  readonly cores: Cores
}

/** Null: it is not installed on this machine. */
export type Starter = (ground: Ground) => Target | null | Promise<Target | null>

export const direct = ({ upstream }: Ground): Target => ({
  name: 'direct',
  port: upstream.port,
  key: 'sk-upstream',
  translates: false,
  processIds: () => [],
  async stop() {},
})

/** Start a program that ends with this one. */
export function spawnQuietly(command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const child = Bun.spawn([...command], { ...options, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  void child.exited.then(() => process.off('exit', end))
  return child
}

/** @throws Error when nothing does within twenty seconds. */
export async function untilItListens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/models`).catch(() => null)
    if (response) return
    await Bun.sleep(20)
  }
  throw new Error(`Nothing listens on port ${port}`)
}
