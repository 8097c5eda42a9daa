import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { userRoutes } from '@tollgate/contract'

import { Console } from '../e2e/console'
import { startGateway, type Gateway } from '../e2e/gateway'
import { buildGateway } from '../scripts/build-gateway'
import { familyOf } from './processes'
import { benchModels, profiles, ratiosOf, type Profile } from './profiles'
import type { Ground, Target } from './targets'

export interface TollgateOptions {
  /** Default: governed, everything on except what was said. */
  readonly profile?: Profile
  /** Default: Tollgate. */
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: what `bun start` runs. */
  readonly program?: readonly string[]
  /** Called with the data folder before the gateway starts. */
  readonly fill?: (dataDir: string) => Promise<void>
}

/** The super admin of the gateway that is measured. */
export const benchAdmin = { username: 'root', password: 'not-a-real-password' }

/** The gateway, set up as the profile says, with a channel for each dialect that the upstream speaks. */
export async function startTollgate(ground: Ground, options: TollgateOptions = {}): Promise<Target> {
  const { profile = 'governed', name = 'Tollgate', env, fill, program = await startedProgram() } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  await fill?.(dataDir)
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
  const admin = await Console.setUp(gateway.url, benchAdmin)
  const ratios = ratiosOf(profile)
  await admin.setOptions({
    ModelRatio: forAll(ratios.model),
    CompletionRatio: forAll(ratios.completion),
    ...profiles[profile].options,
  })
  await admin.call(userRoutes.updateUser, { body: { id: admin.userId, quota: 1_000_000_000_000 } })
  for (const { dialect, ...channel } of channelsTo(upstreamUrl)) {
    await admin.addChannel({ name: dialect, ...channel, models: benchModels[dialect], setting: stoppedWhenLeft })
  }
  return admin.addToken({ name: 'bench', ...profiles[profile].token })
}

const forAll = (ratio: number) => Object.fromEntries(Object.values(benchModels).map((model) => [model, ratio]))

/** Streams that clients leave are closed upstream as well, so that the upstream counts them as left. */
const stoppedWhenLeft = JSON.stringify({ on_disconnect: 'cancel' })

/** Chat completions by the address of that one call, so that no other dialect is passed on to it. */
const channelsTo = (url: string) =>
  [
    { dialect: 'openai-chat', type: 8, base_url: `${url}/v1/chat/completions` },
    { dialect: 'openai-responses', type: 1, base_url: url },
    { dialect: 'anthropic-messages', type: 14, base_url: url },
    { dialect: 'gemini', type: 24, base_url: url },
  ] as const
