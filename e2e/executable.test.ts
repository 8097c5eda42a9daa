import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

import manifest from '../package.json'
import { buildExecutable } from '../scripts/build'
import { buildConsole } from '../scripts/build-console'
import { buildGateway } from '../scripts/build-gateway'
import { commitOf } from '../scripts/commit-of'

const commit = commitOf(join(import.meta.dir, '..'))
const StatusResponse = z.object({ data: z.object({ version: z.string() }) })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-executable-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function executable(): Promise<string[]> {
  const program = join(folder, 'tollgate')
  await buildExecutable(program)
  return [program]
}

/** Builds what `bun start` runs. */
async function buildCommand(): Promise<string[]> {
  await buildConsole()
  return [process.execPath, await buildGateway()]
}

describe.each([
  ['the executable', executable],
  ['the built gateway', buildCommand],
])('%s', (_, build) => {
  test('the executable serves the console from an empty folder without any other file', async () => {
    const program = await build()
    const cwd = mkdtempSync(join(folder, 'empty-'))
    const printed = Bun.spawnSync([...program, '--version'], { cwd, env: {} }).stdout.toString()
    expect(printed).toBe(`Tollgate ${[manifest.version, commit].filter(Boolean).join('+')}\n`)
    const doctor = Bun.spawn([...program, 'doctor'], { cwd, env: { PORT: '0' }, stdout: 'pipe' })
    expect(await new Response(doctor.stdout).text()).toContain('ok    configuration')
    expect(await doctor.exited).toBe(0)
    // Modules loaded only when configured must be included, too.
    const env = { PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const child = Bun.spawn(program, { cwd, env, stdin: 'ignore', stdout: 'pipe' })
    try {
      const url = await addressOf(child.stdout)
      const page = await (await fetch(`${url}/login`)).text()
      const script = /src="(\/assets\/base-[^"]+\.js)"/.exec(page)?.[1] ?? 'none'
      const response = await fetch(url + script, { headers: { 'accept-encoding': 'br' } })
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br'])
      expect((await response.text()).length).toBeGreaterThan(10_000)
      const { data } = StatusResponse.parse(await (await fetch(`${url}/api/status`)).json())
      expect(printed).toBe(`Tollgate ${data.version}\n`)
      const second = Bun.spawn(program, { cwd, env, stdin: 'ignore', stderr: 'pipe', timeout: 20_000 })
      expect(await new Response(second.stderr).text()).toMatch(/^.*Another gateway runs on the data folder .*\n$/)
      expect(await second.exited).toBe(1)
    } finally {
      child.kill('SIGTERM')
      await child.exited
    }
  }, 120_000)
})

/** Resolves with the address in the log. */
async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true })
    const address = /listens on (http:[^\s"]+)/.exec(text)?.[1]
    if (address) return address
  }
  throw new Error(`It ended, having said: ${text}`)
}
