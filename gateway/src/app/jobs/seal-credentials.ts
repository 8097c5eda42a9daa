import { maskSecrets, sealSecrets, withSecrets } from '../../channels/catalog/channel-secrets'
import { changeChannels, lockChannel } from '../../channels/change-channels'
import type { Context } from '../../context'
import type { Job } from './job'

/**
 * Seals credentials in addresses and overrides of channels that earlier releases stored, or that a node of one still stores. A node with
 * another key than the database's seals nothing.
 */
export const sealCredentials = (ctx: Context): Job => ({
  name: 'seal-credentials',
  everyMs: 3_600_000,
  wokenBy: 'catalog',
  async run(signal) {
    const open = await unsealedChannels(ctx)
    if (open.length === 0 || (await ctx.secrets.problem()) !== null) return
    for (const id of open) {
      if (signal.aborted) return
      await sealChannel(ctx, id)
    }
  },
})

async function unsealedChannels({ database }: Context): Promise<number[]> {
  const rows = await database.query
    .selectFrom('channels')
    .select(['id', 'base_url', 'setting', 'param_override'])
    .where((eb) => eb.or([eb('base_url', 'like', '%@%'), eb('setting', '!=', ''), eb('param_override', '!=', '')]))
    .execute()
  return rows.filter((row) => Object.keys(maskSecrets(row).secrets).length > 0).map(({ id }) => id)
}

const sealChannel = (ctx: Context, id: number): Promise<void> =>
  changeChannels(ctx, async (transaction) => {
    const row = await lockChannel(ctx, id, transaction)
    const { shown, secrets } = maskSecrets(withSecrets(row, ctx.seal))
    await transaction
      .updateTable('channels')
      .set({ ...shown, secrets_sealed: sealSecrets(ctx.seal, id, secrets) })
      .where('id', '=', id)
      .execute()
  })
