import { shownQuota } from '../../billing/ledger/quota-text'
import { readMargins } from '../../billing/analytics/query'
import { readSumProgress, spans, type SumProgress } from '../../billing/analytics/rollups'
import type { Context } from '../../context'
import { reportEvent } from '../../platform/telemetry/events/report-event'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database'>

/** What calls whose cost is known were sold for, and cost. */
interface Margin {
  readonly sold: number
  readonly cost: number
}

/** Reports each channel and model whose sales of the last 24 hours earned less than the floor of margins. */
export async function reportLowMargins(parts: Deps): Promise<void> {
  const progress = await readSumProgress(parts.database.query)
  const names = parts.catalog.current.channels
  for (const [id, margin] of await marginsBy('channel_id', progress, parts))
    await reportIfLow(parts, { subject: `channel:${id}`, name: names.get(Number(id))?.name ?? `#${id}`, margin })
  for (const [model, margin] of await marginsBy('model_name', progress, parts))
    await reportIfLow(parts, { subject: `model:${model}`, name: model, margin })
}

async function marginsBy(column: 'channel_id' | 'model_name', progress: SumProgress, { clock }: Deps) {
  const hour = Math.floor(clock.seconds() / spans.hour) * spans.hour
  // The hour that is not over yet, and the 23 before it.
  const hours = { from: hour - 23 * spans.hour, before: hour + spans.hour }
  const margins = new Map<string, Margin>()
  for await (const found of readMargins(progress, { filter: {}, hours, column })) {
    for (const { key, sold, vendor_cost: cost } of found) {
      const sum = margins.get(key) ?? { sold: 0, cost: 0 }
      margins.set(key, { sold: sum.sold + sold, cost: sum.cost + cost })
    }
  }
  return margins
}

interface Earner {
  readonly subject: string
  readonly name: string
  readonly margin: Margin
}

async function reportIfLow(parts: Deps, { subject, name, margin: { sold, cost } }: Earner): Promise<void> {
  const { options } = parts.catalog.current
  const { LowMarginPercent: floor, LowMarginMinimum: minimum } = options
  if (sold < Math.max(minimum, 1)) return
  const percent = (100 * (sold - cost)) / sold
  if (percent >= floor) return
  const facts = {
    name,
    sold: shownQuota(sold, options),
    cost: shownQuota(cost, options),
    margin: percentText(percent),
    floor: percentText(floor),
  }
  await parts.database.query
    .transaction()
    .execute((transaction) => reportEvent(parts, { kind: 'low-margin', subject, facts }, transaction))
}

const percentText = (percent: number): string => `${Math.round(percent * 10) / 10} %`
