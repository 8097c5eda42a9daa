import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { freePort } from './gateway'
import { startInProcess } from './gateway-in-process'

/** Returns the command of the Dockerfile's health check. */
function healthCheck(): string[] {
  const dockerfile = readFileSync(join(import.meta.dir, '../Dockerfile'), 'utf8')
  const [, command = '[]'] = /^HEALTHCHECK [^\n]*\\\n\s+CMD (\[.*\])$/m.exec(dockerfile) ?? []
  return JSON.parse(command) as string[]
}

const runWith = async (env: Record<string, string>): Promise<number> =>
  Bun.spawn(healthCheck(), { env: { PATH: process.env['PATH'] ?? '', ...env }, stderr: 'ignore' }).exited

test.each(['127.0.0.1', '0.0.0.0', 'localhost'])(
  'the health check of the image finds a gateway on %s',
  async (host) => {
    await using gateway = await startInProcess({ env: { HOST: host } })
    expect(await runWith({ HOST: host, PORT: String(gateway.port) })).toBe(0)
  },
)

test('the image’s health check fails when nothing answers', async () => {
  expect(await runWith({ HOST: '0.0.0.0', PORT: String(freePort()) })).not.toBe(0)
})
