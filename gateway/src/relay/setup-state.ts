import type { Context } from '../context'

/** Knows whether the gateway was set up. Once it is, the database is not asked again. */
export interface SetupState {
  isDone(): Promise<boolean>
}

export function createSetupState({ database }: Pick<Context, 'database'>): SetupState {
  let isDone = false
  return {
    async isDone() {
      if (isDone) return true
      const row = await database.query.selectFrom('setups').select('id').limit(1).executeTakeFirst()
      isDone ||= row !== undefined
      return isDone
    },
  }
}
