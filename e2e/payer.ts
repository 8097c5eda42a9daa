import { userRoutes } from '@tollgate/contract'

import { Console } from './console'

export const payerPassword = 'also-not-real'

/** Creates a signed-in user with this much quota. */
export async function aPayer(url: string, root: Console, username: string, quota: number): Promise<Console> {
  const account = { username, password: payerPassword }
  const { id } = await root.call(userRoutes.createUser, { body: account })
  await root.call(userRoutes.updateUser, { body: { id, quota } })
  return Console.signIn(url, account)
}
