import { examine } from '../upkeep/examine'
import { lineOf } from '../upkeep/finding'
import { UsageError, type Command } from './command'

/** Check what a gateway stands on, and say what to do where something is wrong. */
export const doctor: Command = {
  name: 'doctor',
  parameters: '[--json]',
  summary: 'Check the configuration and everything the gateway stands on.',
  details: [
    'Prints a line for each check: ok, warn or FAIL, and what to do. The gateway may run. Nothing is repaired.',
    'With --json: the same and the certificates of its servers, for programs.',
    'Exit code 0: it can run. 1: something fails.',
  ],
  async run(parameters, { environment, print }) {
    const unknown = parameters.find((word) => word !== '--json')
    if (unknown !== undefined) throw new UsageError(`doctor does not take ${unknown}.`)
    const examination = await examine(environment)
    if (parameters.includes('--json')) print(JSON.stringify(examination))
    else for (const finding of examination.findings) print(lineOf(finding))
    return examination.findings.some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}
