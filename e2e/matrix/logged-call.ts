import type { LedgerAudit } from '../ledger-audit'
import { until } from '../ledger-view'

/** Makes a call of a model. Resolves with what it returned and the log row of its charge. */
export async function loggedCall<Answer>(ledgerAudit: LedgerAudit, model: string, call: () => Promise<Answer>) {
  const rows = async () => (await ledgerAudit.logs()).filter((row) => row.model_name === model)
  const { length: before } = await rows()
  const response = await call()
  const after = await until(rows, ({ length }) => length > before)
  const row = after.at(-1)
  if (!row) throw new Error(`No charge of ${model} is logged`)
  return { answer: response, row }
}
