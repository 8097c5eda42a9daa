import type { Context } from '../../context'
import { isOutOfFiles } from '../../platform/net/upstream/out-of-files'
import type { LedgerProblem } from './ledger'

/** Returns why this node would refuse calls for a reason of its own; null where it would not. */
export const nodeProblem = ({ ledger }: Pick<Context, 'ledger'>): LedgerProblem | null =>
  ledger.problem() ?? (isOutOfFiles() ? 'files' : null)
