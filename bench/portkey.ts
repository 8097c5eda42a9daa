import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { freePort } from '../e2e/gateway'
import { familyOf } from './processes'
import { untilItListens, type Ground, type Target } from './targets'

const program = 'node_modules/@portkey-ai/gateway/build/start-server.js'

/**
 * The published Portkey gateway, from a folder it was installed in (CONTRIBUTING.md tells how), on Node. It keeps no
 * accounts: nothing is checked, charged or logged. What it needs to know comes with each call.
 * @throws Error when it is not in that folder.
 */
export async function startPortkey(folder: string, { upstream, cores }: Ground): Promise<Target> {
  if (!existsSync(join(folder, program))) throw new Error(`There is no ${program} in ${folder}`)
  const port = freePort()
  const child = Bun.spawn([...cores.launcher, 'node', program, `--port=${port}`, '--headless'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await untilItListens(port)
  return {
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
}
