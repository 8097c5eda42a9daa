import type { LedgerAudit } from '../ledger-audit'
import { until } from '../ledger-view'

/** Makes a call of a model. Resolves with what it returned and the log row of its charge. */
export async function loggedCall<Answer>(ledgerAudit: LedgerAudit, model: string, call: () => Promise<Answer>) {
  const lastId = await ledgerAudit.lastLogId()
  const response = await call()
  const rows = await until(
    async () => (await ledgerAudit.logs(lastId)).filter((row) => row.model_name === model),
    ({ length }) => length > 0,
  )
  const row = rows.at(-1)
  if (!row) throw new Error(`No charge of ${model} is logged`)
  return { answer: response, row }
}
