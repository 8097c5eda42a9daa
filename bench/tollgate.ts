import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { userRoutes } from '@tollgate/contract'

import { Console } from '../e2e/console'
import { startGateway, type Gateway } from '../e2e/gateway'
import { buildGateway } from '../scripts/build-gateway'
import { familyOf } from './processes'
import { benchModel, profiles, ratiosOf, type Profile } from './profiles'
import type { Ground, Target } from './targets'

export interface TollgateOptions {
  /** Default: governed, everything on except what was said. */
  readonly profile?: Profile
  /** Default: Tollgate. */
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: what `bun start` runs. */
  readonly program?: readonly string[]
}

/** The gateway, set up as the profile says, with one channel to the upstream. */
export async function startTollgate(ground: Ground, options: TollgateOptions = {}): Promise<Target> {
  const { profile = 'governed', name = 'Tollgate', env, program = await startedProgram() } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const gateway = await startGateway({ dataDir, launcher: ground.cores.launcher, env, program })
  const key = await setUp(gateway, profile, ground.upstream.url)
  return {
    name,
    port: gateway.port,
    key,
    translates: true,
    books: { dataDir, profile },
    processIds: () => familyOf(gateway.processId),
    async stop() {
      await gateway.stop()
    },
  }
}

/** The command that `bun start` becomes. */
export const startedProgram = async (): Promise<string[]> => [process.execPath, await buildGateway()]

async function setUp(gateway: Gateway, profile: Profile, upstreamUrl: string): Promise<string> {
  const admin = await Console.setUp(gateway.url, { username: 'root', password: 'not-a-real-password' })
  const ratios = ratiosOf(profile)
  await admin.setOptions({
    ModelRatio: { [benchModel]: ratios.model },
    CompletionRatio: { [benchModel]: ratios.completion },
    ...profiles[profile].options,
  })
  await admin.call(userRoutes.updateUser, { body: { id: admin.userId, quota: 1_000_000_000_000 } })
  // By the address of its one call, so that no other dialect is passed on to it.
  await admin.addChannel({
    name: 'bench',
    type: 8,
    base_url: `${upstreamUrl}/v1/chat/completions`,
    models: benchModel,
  })
  return admin.addToken({ name: 'bench', ...profiles[profile].token })
}
