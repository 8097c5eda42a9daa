import { closeSync, openSync } from 'node:fs'

import type { Context } from '../context'
import { journalProblem } from './journal/journal-problem'
import type { LedgerProblem } from './ledger'

/** Returns why this node would refuse calls for a reason of its own; null where it would not. */
export const nodeProblem = ({ ledger, config }: Pick<Context, 'ledger' | 'config'>): LedgerProblem | null =>
  ledger.problem() ?? filesProblem(config.dataDir)

/** Every call to an upstream opens a socket, which counts as a file. */
function filesProblem(folder: string): 'files' | null {
  try {
    closeSync(openSync(folder, 'r'))
    return null
  } catch (error) {
    return journalProblem(error) === 'files' ? 'files' : null
  }
}
