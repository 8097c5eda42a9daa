import { objectOfText } from '../../catalog/json-text'
import type { ChannelRow } from '../../store/tables'

/** The proxy a channel's setting names. */
export function proxyOf(row: Pick<ChannelRow, 'setting'>): string | undefined {
  try {
    const proxy = objectOfText(row.setting)?.['proxy']
    return typeof proxy === 'string' && proxy !== '' ? proxy : undefined
  } catch {
    return undefined
  }
}
