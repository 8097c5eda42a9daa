import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildGateway } from '../scripts/build-gateway'
import { startGateway } from './gateway'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

/** For a process that should exit and does not. */
const timeoutMs = 60_000
const program = [process.execPath, await buildGateway()]

/** Returns the output and exit code of another process started on the folder. */
async function run(dataDir: string, ...words: string[]) {
  const env = { DATA_DIR: dataDir, PORT: '0', PATH: process.env['PATH'] ?? '' }
  const options = { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: timeoutMs } as const
  const child = Bun.spawn([...program, ...words], options)
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { output: output + errors, code: await child.exited }
}

test('a gateway with several workers holds its data folder for as long as it runs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-lock-'))
  try {
    await using gateway = await startGateway({ dataDir, workers: 2 })
    const second = await run(dataDir)
    expect(second.code).toBe(1)
    expect(second.output).toContain(`Another gateway runs on the data folder ${dataDir}`)
    expect(second.output.trim().split('\n')).toHaveLength(1)
    expect((await run(dataDir, 'doctor')).output).toContain('runs on this data folder')
    await gateway.stop()
    await using next = await startGateway({ dataDir })
    expect(next.isRunning()).toBe(true)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
