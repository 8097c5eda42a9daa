import { partsOf } from '../../catalog/json-text'
import type { Transaction } from '../../store/database'
import type { ChannelRow } from '../../store/tables'

export type AbilitySource = Pick<ChannelRow, 'id' | 'models' | 'group' | 'model_prefix'>

/** Rows written by one statement: far from every limit on bound values. */
const rowsAtOnce = 1000

/** Rewrites which models these channels serve for which groups, enabled or not. */
export async function writeAbilities(channels: readonly AbilitySource[], transaction: Transaction): Promise<void> {
  for (const channel of channels) {
    await transaction.deleteFrom('abilities').where('channel_id', '=', channel.id).execute()
    const rows = abilitiesOf(channel)
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      await transaction
        .insertInto('abilities')
        .values(rows.slice(start, start + rowsAtOnce))
        .execute()
    }
  }
}

function abilitiesOf({ id, models, group, model_prefix: prefix }: AbilitySource) {
  const names = partsOf(models)
  return partsOf(group).flatMap((group) => names.map((name) => ({ group, model: prefix + name, channel_id: id })))
}

/** Rewrites all of them, also dropping those of channels that are gone. Resolves with the number of channels. */
export async function rewriteAbilities(transaction: Transaction): Promise<number> {
  await transaction.deleteFrom('abilities').execute()
  const channels = await transaction.selectFrom('channels').select(['id', 'models', 'group', 'model_prefix']).execute()
  await writeAbilities(channels, transaction)
  return channels.length
}
