import { afterEach, beforeEach, expect, test } from 'bun:test'

import { ApiError, optionRoutes, role } from '@tollgate/contract'
import { startS3, type S3StandIn } from '@tollgate/simulator'

import { bucketOptions } from '../../../test/bucket-options'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { optionHandlers } from '../../console-api/options/options'
import { bucketOf } from './bucket'
import { callBucket } from './call-bucket'

let world: World
let s3: S3StandIn
beforeEach(async () => {
  world = await createWorld()
  s3 = await startS3(() => world.ctx.clock.now())
})
afterEach(async () => {
  await s3[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

async function outcome(as: number = role.root) {
  const site = createTestConsole(world.ctx, optionHandlers)
  const session = await site.signIn((await anAccount(world.ctx, { role: as })).id)
  return site
    .client(session)
    .call(optionRoutes.testBucket, {})
    .then(
      () => 'works',
      (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)),
    )
}

test('the test of the bucket writes, reads, lists and deletes an object', async () => {
  expect(await outcome()).toBe('bucket.unset: No bucket is set up.')
  await setOptionsIn(world.ctx, bucketOptions(s3))
  expect(await outcome(role.admin)).toStartWith('auth.forbidden')
  expect(await outcome()).toBe('works')
  expect(s3.requests.map(({ call }) => call.split(' ')[0])).toEqual(['PUT', 'GET', 'GET', 'DELETE'])
  expect(s3.objects.size).toBe(0)
})

test.each([
  [{ TaskBucketSecret: 'wrong' }, 'does not accept the key ID or the secret. (SignatureDoesNotMatch'],
  [{ TaskBucketKeyId: 'AKIAOTHER' }, 'does not accept the key ID or the secret. (InvalidAccessKeyId'],
  [{ TaskBucketRegion: 'eu-west-1' }, 'expects another region or endpoint for the bucket test-bucket.'],
  [{ TaskBucketName: 'other-bucket' }, 'There is no bucket other-bucket at 127.0.0.1:'],
])('the test of the bucket says what is wrong with %j', async (wrong, sentence) => {
  await setOptionsIn(world.ctx, { ...bucketOptions(s3), ...wrong })
  const message = await outcome()
  expect(message).toStartWith('bucket.failed: The bucket cannot be used. ')
  expect(message).toContain(sentence)
  expect(message).not.toContain(s3.key.secret)
})

test('the test of the bucket reports rights that are missing, errors and a storage that is away', async () => {
  await setOptionsIn(world.ctx, bucketOptions(s3))
  s3.fault = { kind: 'refuse', method: 'DELETE' }
  expect(await outcome()).toContain('The key must be allowed to read, write, list and delete objects. (AccessDenied')
  s3.fault = { kind: 'fail' }
  expect(await outcome()).toContain('did not do what it was asked for. (InternalError')
  await setOptionsIn(world.ctx, { TaskBucketEndpoint: 'http://127.0.0.1:1' })
  expect(await outcome()).toContain('127.0.0.1:1 cannot be reached. Check the endpoint and the firewall.')
})

test('a storage that does not respond is given up', async () => {
  await setOptionsIn(world.ctx, bucketOptions(s3))
  s3.fault = { kind: 'hang' }
  const bucket = bucketOf(world.ctx.catalog.current.options)
  if (!bucket) throw new Error('No bucket')
  const call = callBucket(world.ctx, bucket, { method: 'GET', key: 'song', timeoutMs: 1 })
  expect(await call.catch((error: unknown) => error)).toMatchObject({ reason: { code: 's3.timeout' } })
})
