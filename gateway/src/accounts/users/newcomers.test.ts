import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { mailboxOf, registerNewcomer, type Newcomer } from './newcomers'

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  [' ann+promo@example.com ', 'ann@example.com'],
  ['a.n.n+x@gmail.com', 'ann@gmail.com'],
  ['ann@googlemail.com', 'ann@gmail.com'],
  ['An-n_+x@pm.me', 'ann@proton.me'],
  ['ann@mac.com', 'ann@icloud.com'],
  ['an.n@me.com', 'an.n@icloud.com'],
  ['an-na@ya.ru', 'an.na@yandex.ru'],
  ['a.nn@example.com', 'a.nn@example.com'],
])('the mailbox of %s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

describe.each(kinds)('newcomers (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  beforeAll(async () => {
    world = await createWorld({ kind })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const isNew = (newcomer: Newcomer) =>
    world.ctx.database.query.transaction().execute((transaction) => registerNewcomer(newcomer, 1, transaction))
  const github = (subject: string) => ({ provider: 'github', subject })

  once('a person is new once, by any account or address under which they were here before', async () => {
    expect(await isNew({ identity: github('1'), email: 'ann@example.com' })).toBe(true)
    expect(await isNew({ identity: github('1') })).toBe(false)
    expect(await isNew({ identity: github('2'), email: 'ANN+2@example.com' })).toBe(false)
    expect(await isNew({ identity: github('2') })).toBe(false)
    expect(await isNew({ identity: { provider: 'oidc', subject: '1' } })).toBe(true)
  })

  once('a person who gives neither is new', async () => {
    expect([await isNew({}), await isNew({})]).toEqual([true, true])
  })

  test('one of many who come at once under the same account is new', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => isNew({ identity: github('9') })))
    expect(all.filter(Boolean)).toHaveLength(1)
  })
})
