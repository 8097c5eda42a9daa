import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { version } from '../../platform/config/version'
import { runCommand } from './run-command'

async function runWith(...words: string[]) {
  const lines: string[] = []
  const code = await runCommand(words, { environment: {}, print: (line) => lines.push(line) })
  return { code, text: lines.join('\n') }
}

const names = ['doctor', 'reconcile', 'backup', 'restore', 'rotate-secret', 'reset-password', 'unlock', 'option']

test('help names every command, and each has its own', async () => {
  const help = await runWith('--help')
  expect(help.code).toBe(0)
  for (const name of names) {
    expect(help.text).toContain(`tollgate ${name}`)
    const own = await runWith(name, '--help')
    expect([own.code, own.text]).toEqual([0, expect.stringContaining(`Usage: tollgate ${name}`)])
  }
})

test('an unknown word is answered with the available commands', async () => {
  const { code, text } = await runWith('reconsile')
  expect([code, text]).toEqual([2, expect.stringContaining('There is no command reconsile.')])
  for (const name of names) expect(text).toContain(name)
})

test('an invalid environment is reported as at the start of the gateway', async () => {
  const lines: string[] = []
  const world = { environment: { PORT: 'x' }, print: (line: string) => lines.push(line) }
  expect(await runCommand(['reconcile'], world)).toBe(1)
  expect(lines).toEqual(['PORT must be a whole number from 0 to 65535.'])
})

test('the program takes its commands from its arguments', async () => {
  const program = join(import.meta.dir, '../../main.ts')
  const run = async (word: string) => {
    const child = Bun.spawn([process.execPath, program, word], { stdout: 'pipe', stderr: 'pipe' })
    return [await new Response(child.stdout).text(), await child.exited]
  }
  expect(await run('--version')).toEqual([`Tollgate ${version}\n`, 0])
  expect(await run('serve-me')).toEqual([expect.stringContaining('There is no command serve-me.'), 2])
})
