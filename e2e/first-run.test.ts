import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { startInProcess } from './gateway-in-process'

setDefaultTimeout(120_000)

/** Returns the commands of the document's first run. */
function firstRun(url: string): string {
  const page = readFileSync(join(import.meta.dir, '../docs/administration.md'), 'utf8')
  const [, script = ''] = /^## First run$[^]*?```sh\n([^]*?)```/m.exec(page) ?? []
  return script.replaceAll('http://localhost:3000', url)
}

/** Returns the output of a shell and its exit code. */
async function run(script: string) {
  const shell = Bun.spawn(['sh'], { stdin: new Blob([script]), stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
  return { code: await shell.exited, output, errors }
}

test.if(Bun.which('curl') !== null)(
  'the commands of the first run work as printed and stop at the first failure',
  async () => {
    await using gateway = await startInProcess()
    const first = await run(firstRun(gateway.url))
    expect(first.errors).toBe('')
    expect(first.code).toBe(0)
    const key = /"key":"(\w+)"/.exec(first.output)?.[1]
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    expect(await models.text()).toContain('gpt-4o-mini')
    // Setup is done: the first command is refused with HTTP 400 and no other runs.
    const again = await run(firstRun(gateway.url))
    expect(again.code).not.toBe(0)
    expect(again.output).toBe('')
    expect(again.errors).toContain('setup.done')
  },
)
