import type { OptionKey } from '@tollgate/contract'

import type { Transaction } from '../../platform/store/database'

/** Stores the text of an option: of a secret one, sealed. Its change is announced by the caller. */
export async function storeOption(key: OptionKey, value: string, transaction: Transaction): Promise<void> {
  await transaction
    .insertInto('options')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
