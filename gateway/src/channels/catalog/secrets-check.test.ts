import { beforeEach, expect, test } from 'bun:test'

import { onBothDatabases } from '../../../test/databases'
import { createSeal, type Seal } from '../../platform/store/seal'
import { createSecretsCheck } from './secrets-check'

const sealOf = (name: string) => createSeal(new TextEncoder().encode(`an obviously fake secret: ${name}`))

onBothDatabases('the check of the secret key', (world, once) => {
  const problemOf = (seal: Seal) => createSecretsCheck({ database: world().database, seal }).problem()
  const store = (...sealed: readonly string[]) =>
    world()
      .database.query.insertInto('channels')
      .values(
        sealed.map((key_sealed, index) => ({ type: 1, name: `c${index}`, key_sealed, tag: null, created_time: 1 })),
      )
      .execute()
  const mine = sealOf('mine')
  const other = sealOf('other')

  beforeEach(async () => {
    const { query } = world().database
    await query.deleteFrom('channels').execute()
    await query.deleteFrom('secret_probes').execute()
  })

  once('the check admits the first node, and reports one with another key before anything is sealed', async () => {
    expect(await problemOf(mine)).toBeNull()
    expect(await problemOf(mine)).toBeNull()
    expect(await problemOf(other)).toContain('Set the same SECRET_KEY on every node')
    expect(await problemOf(mine)).toBeNull()
  })

  test('the check reports a new key with a database of an earlier release, which has secrets and no probe', async () => {
    await store(mine.seal('a'), mine.seal('b'))
    expect(await problemOf(other)).toBe(
      'The secret key cannot decrypt 2 of 2 channel keys and options. Set the SECRET_KEY they were sealed with, or enter them again.',
    )
    expect(await problemOf(mine)).toBeNull()
  })

  once('a damaged secret does not stop a node from starting', async () => {
    await store(mine.seal('a'), 'v1.damaged', '')
    expect(await problemOf(mine)).toBeNull()
    expect(await problemOf(other)).toContain('cannot decrypt 2 of 2')
  })

  once('a running node notices that the key was changed by another', async () => {
    await store(mine.seal('a'))
    const running = createSecretsCheck({ database: world().database, seal: mine })
    expect(await running.problem()).toBeNull()
    await world()
      .database.query.updateTable('channels')
      .set({ key_sealed: other.seal('a') })
      .execute()
    expect(await problemOf(other)).toBeNull()
    expect(await running.problem()).toContain('cannot decrypt 1 of 1')
  })
})
