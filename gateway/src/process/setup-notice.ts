import { rmSync, writeFileSync } from 'node:fs'

import type { Say } from '../log/say'
import { standardOutput, type LineStream } from '../log/standard-output'
import type { Database } from '../store/database'
import { pathsIn, type DataFolder } from '../store/data-folder'

const codeBytes = 9

/** Resolves with a one-time code for the first visitor; empty when the gateway is set up. */
export async function makeSetupCode(database: Database): Promise<string> {
  const setup = await database.query.selectFrom('setups').select('id').executeTakeFirst()
  if (setup) return ''
  return Buffer.from(crypto.getRandomValues(new Uint8Array(codeBytes))).toString('base64url')
}

/**
 * Shows the code to the person who started the gateway: on the terminal, or else in a file that only its owner can read, so that it does
 * not end up wherever logs are collected.
 */
export function showSetupCode(
  code: string,
  folder: DataFolder,
  say: Say,
  terminal: LineStream = standardOutput.stdout,
): void {
  const { setupCodePath } = pathsIn(folder.path)
  if (code === '') return rmSync(setupCodePath, { force: true })
  if (terminal.isTTY) {
    terminal.write(`Set-up code, asked of visitors who come through a proxy or from another machine: ${code}\n`)
    return
  }
  rmSync(setupCodePath, { force: true })
  writeFileSync(setupCodePath, `${code}\n`, { mode: 0o600, flag: 'wx' })
  say('info', `Not set up yet. Visitors from elsewhere are asked for the code in ${setupCodePath}`)
}
