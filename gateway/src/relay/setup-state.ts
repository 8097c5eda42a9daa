import type { Context } from '../context'

/** Whether the gateway was set up. Once it was it stays so, and nobody asks the database again. */
export interface SetupState {
  isDone(): boolean | Promise<boolean>
}

export function createSetupState({ database }: Pick<Context, 'database'>): SetupState {
  let isDone = false
  async function ask(): Promise<boolean> {
    const row = await database.query.selectFrom('setups').select('id').limit(1).executeTakeFirst()
    isDone ||= row !== undefined
    return isDone
  }
  return { isDone: () => isDone || ask() }
}
