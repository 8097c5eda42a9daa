import type { Context } from '../context'

/** Knows whether the gateway was set up. Once it is, the database is not asked again. */
export interface SetupState {
  readonly isDone: boolean
  /** Resolves with whether it is by now. */
  look(): Promise<boolean>
}

export function createSetupState({ database }: Pick<Context, 'database'>): SetupState {
  let isDone = false
  return {
    get isDone() {
      return isDone
    },
    async look() {
      const row = await database.query.selectFrom('setups').select('id').limit(1).executeTakeFirst()
      isDone ||= row !== undefined
      return isDone
    },
  }
}
