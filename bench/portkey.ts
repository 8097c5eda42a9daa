import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { freePort } from '../e2e/gateway'
import { load } from './load'
import { familyOf } from './processes'
import { requestTo } from './requests'
import { spawnQuietly, untilItListens, type Ground, type Target } from './targets'

const program = 'node_modules/@portkey-ai/gateway/build/start-server.js'

/**
 * The published Portkey gateway, from a folder it was installed in (bench/README.md says how), on Node. It keeps no
 * accounts: nothing is checked, charged or logged. What it needs to know comes with each call.
 * @throws Error when it is not in that folder, or does not answer.
 */
export async function startPortkey(folder: string, { upstream, cores }: Ground): Promise<Target> {
  if (!existsSync(join(folder, program))) throw new Error(`There is no ${program} in ${folder}`)
  const port = freePort()
  const child = spawnQuietly([...cores.launcher, 'node', program, `--port=${port}`, '--headless'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
  })
  await untilItListens(port)
  const target: Target = {
    name: 'Portkey',
    port,
    key: 'sk-upstream',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream.url}/v1` },
    translates: false,
    processIds: () => familyOf(child.pid),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
  await tryOut(target)
  return target
}

/** With some versions of what it depends on every stream fails, which would make its figures those of errors. */
async function tryOut(target: Target): Promise<void> {
  for (const isStream of [false, true]) {
    const request = requestTo(target, { dialect: 'openai-chat', isStream })
    const { failures } = await load({ port: target.port, connections: 1, request, milliseconds: 60_000, maxCalls: 1 })
    if (failures > 0)
      throw new Error(`Portkey answers no ${isStream ? 'stream' : 'call'}; bench/README.md says how to install it`)
  }
}
