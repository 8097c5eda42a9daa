import { expect, test } from 'bun:test'

import { ApiError, role, userRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../test/console-client'
import { kinds } from '../../test/kinds'
import { createWorld } from '../../test/world'
import { userHandlers } from '../console-api/users/users'

test.each(kinds)(
  'of users who claim one name at the same moment one gets it, and the others are told that it is taken (%s)',
  async (kind) => {
    await using world = await createWorld({ kind })
    const site = createTestConsole(world.ctx, userHandlers)
    const root = site.client(await site.signIn((await anAccount(world.ctx, { role: role.root })).id))
    const accounts = await Promise.all(Array.from({ length: 6 }, () => anAccount(world.ctx)))
    const outcomes = await Promise.all(
      accounts.map(({ id }) =>
        root.call(userRoutes.updateUser, { body: { id, username: 'wanted' } }).then(
          () => 'success',
          (error: unknown) => (error instanceof ApiError ? error.code : error),
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'user.exists')).toHaveLength(5)
  },
)
