import type { Books } from '../books'
import { until } from '../ledger-view'

/** Makes a call of a model. Resolves with what it returned and the log row of its charge. */
export async function loggedCall<Answer>(books: Books, model: string, call: () => Promise<Answer>) {
  const rows = async () => (await books.logs()).filter((row) => row.model_name === model)
  const { length: before } = await rows()
  const answer = await call()
  const after = await until(rows, ({ length }) => length > before)
  const row = after.at(-1)
  if (!row) throw new Error(`No charge of ${model} is logged`)
  return { answer, row }
}
