import { rmSync, writeFileSync } from 'node:fs'

import type { LogWriter } from '../../platform/telemetry/log/log-writer'
import { standardOutput, type LineStream } from '../../platform/telemetry/log/standard-output'
import type { Database } from '../../platform/store/database'
import { pathsIn, type DataFolder } from '../../platform/store/data-folder'
import { setupOpenedNote, writeFirstNote } from '../../platform/store/site-notes'
import { randomToken, systemRandom } from '../../platform/random'

const codeBytes = 9

/** Resolves with a one-time code for the first visitor; empty when the gateway is set up. Notes when there first was one. */
export async function makeSetupCode(database: Database, nowMs: number): Promise<string> {
  const setup = await database.query.selectFrom('setups').select('id').executeTakeFirst()
  if (setup) return ''
  await writeFirstNote(database.query, { name: setupOpenedNote, value: Math.floor(nowMs / 1000) }, nowMs)
  return randomToken(systemRandom, codeBytes)
}

interface Opening {
  readonly code: string
  /** Where the gateway listens. */
  readonly url: string
}

/**
 * Shows the code to the person who started the gateway: in a link on the terminal, or else in a file that only its owner can read, so that
 * it does not end up wherever logs are collected.
 */
export function showSetupCode(
  { code, url }: Opening,
  folder: DataFolder,
  writeLog: LogWriter,
  terminal: LineStream = standardOutput.stdout,
): void {
  const { setupCodePath } = pathsIn(folder.path)
  if (code === '') return rmSync(setupCodePath, { force: true })
  if (terminal.isTTY) {
    // Browsers keep to themselves what follows the #.
    terminal.write(`Set the gateway up: ${pageAt(url)}#code=${code}\n`)
    return
  }
  rmSync(setupCodePath, { force: true })
  writeFileSync(setupCodePath, `${code}\n`, { mode: 0o600, flag: 'wx' })
  writeLog('info', `Not set up yet. Open ${pageAt(url)}, which asks for the code in ${setupCodePath}`)
}

/** A host that stands for all addresses of the machine cannot be opened. */
function pageAt(url: string): string {
  const page = new URL('/setup', url)
  if (['0.0.0.0', '[::]'].includes(page.hostname)) page.hostname = 'localhost'
  return page.href
}
