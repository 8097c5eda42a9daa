import { expect, setDefaultTimeout, test } from 'bun:test'

import { optionRoutes } from '@tollgate/contract'
import { startS3 } from '@tollgate/simulator'

import { startInProcess } from './gateway-in-process'
import { until } from './ledger-view'
import { aWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(180_000)

test('results are stored in the bucket that the console sets up, pass through the gateway in ranges, and expire', async () => {
  await using s3 = await startS3()
  await using world = await aWorld({ models: ['gpt-image-1'] })
  const { gateway, console: site, client, key } = world
  await site.setOptions({
    TaskBucketEndpoint: s3.url,
    TaskBucketRegion: s3.key.region,
    TaskBucketName: s3.bucket,
    TaskBucketKeyId: s3.key.keyId,
    TaskBucketSecret: s3.key.secret,
    TaskResultStorage: 'bucket',
  })
  await site.call(optionRoutes.testBucket, {})
  const request = { model: 'gpt-image-1', prompt: 'a harbour', async: true }
  const { id } = (await client.images.generate(request)) as unknown as { id: string }
  const [[name, object] = ['', null]] = await until(
    async () => [...s3.objects],
    ({ length }) => length > 0,
  )
  expect(name).toMatch(new RegExp(`^task-results/\\d{4}-\\d{2}-\\d{2}/${id}-0$`))
  const bytes = object?.bytes ?? new Uint8Array()
  const read = (range?: string) =>
    fetch(`${gateway.url}/v1/tasks/${id}/results/0`, {
      headers: { authorization: `Bearer ${key}`, ...(range !== undefined && { range }) },
    })
  // The row says where the bytes are after they are there.
  const fromBucket = () => s3.requests.filter(({ call }) => call === `GET /${s3.bucket}/${name}`)
  const whole = await until(read, () => fromBucket().length > 0)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
  const part = await read('bytes=2-5')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes.length}`])
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(2, 6))
  expect(fromBucket().at(-1)?.range).toBe('bytes=2-5')

  // The job that deletes what has expired runs by the hour, and once a worker takes the jobs over.
  const old = 'task-results/2020-01-01/task_old-0'
  s3.objects.set(old, { contentType: 'image/png', bytes: new Uint8Array(1) })
  await gateway.stop()
  await using _next = await startInProcess({ dataDir: gateway.dataDir, port: gateway.port })
  await until(
    async () => s3.objects.has(old),
    (isThere) => !isThere,
  )
  expect([...s3.objects.keys()]).toEqual([name])
  expect((await read()).status).toBe(200)
})
