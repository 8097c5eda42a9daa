import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import Anthropic, { toFile } from '@anthropic-ai/sdk'
import type { JsonObject } from '@tollgate/dialects'
import { startS3 } from '@tollgate/simulator'
import OpenAI from 'openai'

import { bucketOptions } from '../../../test/bucket-options'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { removeExpiredFiles } from '../../tasks/files/remove-files'
import { pieceBytes } from '../../tasks/files/write-file'

const pixel = Buffer.from('iVBORw0KGgo=', 'base64')
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-4.1',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'A harbour', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}
const line = (id: number) => JSON.stringify({ custom_id: `q${id}`, method: 'POST', url: '/v1/embeddings', body: {} })

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`kept files (${kind})`, () => {
    let world: RelayWorld
    const requests: JsonObject[] = []
    const upstream = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        requests.push((await request.json()) as JsonObject)
        if (new URL(request.url).pathname.endsWith('/responses')) return Response.json(response)
        const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
        const message = { role: 'assistant', content: 'A harbour' }
        const choices = [{ index: 0, message, finish_reason: 'stop' }]
        return Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4.1', choices, usage })
      },
    })
    beforeAll(async () => {
      world = await createRelayWorld({ kind })
      await world.addChannel({ base_url: String(upstream.url).replace(/\/$/, ''), models: 'gpt-4.1', name: 'ours' })
    })
    afterEach(() =>
      world.setOptions({ FileMegabytes: '200', FileUserMegabytes: '2000', FileDays: '30', FilesEnabled: 'true' }),
    )
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await upstream.stop(true)
    })

    const openAi = (apiKey = world.key) => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const anthropic = (apiKey = world.key) => new Anthropic({ apiKey, baseURL: world.url, maxRetries: 0 })
    const store = (
      bytes: Uint8Array<ArrayBuffer> | string,
      name = 'notes.txt',
      purpose: 'user_data' | 'batch' = 'user_data',
    ) => openAi().files.create({ file: new File([bytes], name), purpose })
    const storedRows = async () => {
      const { query } = world.ctx.database
      const files = await query.selectFrom('files').select('public_id').execute()
      const chunks = await query.selectFrom('file_chunks').select(['content']).execute()
      return { files: files.map((row) => row.public_id), chunks: chunks.map(({ content }) => Buffer.from(content)) }
    }
    const cleanUp = async () => {
      await world.ctx.database.query.updateTable('files').set({ expires_at: 1 }).execute()
      await removeExpiredFiles(world.ctx, new AbortController().signal)
    }
    const failing = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => error as { status: number; code?: string; message: string },
      )

    test('an upload that is repeated with its key is the same file, and another one with it is refused', async () => {
      const upload = (text: string, name = 'notes.txt', key = 'upload-0001') =>
        openAi().files.create(
          { file: new File([text], name), purpose: 'user_data' },
          { headers: { 'idempotency-key': key } },
        )
      // The one that comes second may be told that the first is under way.
      const both = await Promise.allSettled([upload('a'), upload('a')])
      const first = await upload('a')
      const stored = both.flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []))
      expect(stored).not.toBeEmpty()
      // Whole ones differ in the id of their request.
      expect(stored.map(({ id }) => id)).toEqual(stored.map(() => first.id))
      const refused = expect.objectContaining({ status: 422 })
      expect(await upload('b').catch((error: unknown) => error)).toEqual(refused)
      expect(await upload('a', 'other.txt').catch((error: unknown) => error)).toEqual(refused)
      expect((await upload('a', 'notes.txt', 'upload-0002')).id).not.toBe(first.id)
      const listed = await openAi().files.list()
      expect(listed.data.filter(({ filename }) => filename === 'notes.txt')).toHaveLength(2)
      for (const { id } of listed.data) await openAi().files.delete(id)
      await removeExpiredFiles(world.ctx, new AbortController().signal)
    })

    test('files are uploaded, listed, read, downloaded and deleted by the SDK of OpenAI', async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(2 * 65_536))
      const long = Buffer.concat(Array.from({ length: 21 }, () => bytes))
      expect(long.byteLength).toBeGreaterThan(2 * pieceBytes)
      const file = await store(long, 'harbour.bin')
      expect(file).toMatchObject({
        object: 'file',
        bytes: long.byteLength,
        filename: 'harbour.bin',
        purpose: 'user_data',
      })
      const { created_at: createdAt, expires_at: expiresAt } = file
      expect((expiresAt ?? 0) - createdAt).toBe(30 * 86_400)
      expect(await openAi().files.retrieve(file.id)).toEqual(file)
      const content = await openAi().files.content(file.id)
      expect(Buffer.from(await content.arrayBuffer()).equals(long)).toBe(true)
      const second = await store('two')
      const page = await openAi().files.list({ limit: 1 })
      expect(page.data.map(({ id }) => id)).toEqual([second.id])
      const ids: string[] = []
      for await (const { id } of openAi().files.list({ limit: 1, order: 'asc', purpose: 'user_data' })) ids.push(id)
      expect(ids).toEqual([file.id, second.id])
      expect(await openAi().files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
      expect(await failing(openAi().files.retrieve(file.id))).toMatchObject({ status: 404, code: 'file.none' })
      await cleanUp()
      expect(await storedRows()).toEqual({ files: [], chunks: [] })
    })

    test('files are uploaded, listed, read, downloaded and deleted by the SDK of Anthropic', async () => {
      const client = anthropic().files
      const file = await client.upload({
        file: await toFile(Buffer.from('%PDF-1.4'), 'a.pdf', { type: 'application/pdf' }),
      })
      const facts = { type: 'file', filename: 'a.pdf', mime_type: 'application/pdf', size_bytes: 8, downloadable: true }
      expect(file).toMatchObject(facts)
      expect(await client.retrieveMetadata(file.id)).toEqual(file)
      expect(await (await client.download(file.id)).text()).toBe('%PDF-1.4')
      const second = await client.upload({ file: new File(['x'], 'b.txt', { type: 'text/plain' }) })
      const first = await client.list({ limit: 1 })
      expect(first.data.map(({ id }) => id)).toEqual([second.id])
      const next = await first.getNextPage()
      expect(next.data.map(({ id }) => id)).toEqual([file.id])
      expect(next.hasNextPage()).toBe(false)
      expect((await client.list({ ids: [file.id] })).data.map(({ id }) => id)).toEqual([file.id])
      const headers = { 'x-api-key': world.key, 'anthropic-version': '2023-06-01' }
      const idsOf = async (query: string) => {
        const list = await fetch(`${world.url}/v1/files?limit=1&${query}`, { headers })
        return ((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
      }
      expect(await idsOf(`after_id=${second.id}`)).toEqual([file.id])
      expect(await idsOf(`before_id=${file.id}`)).toEqual([second.id])
      expect(await client.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' })
      const gone = await failing(client.retrieveMetadata(file.id))
      expect(gone).toMatchObject({ status: 404, message: expect.stringContaining('"type":"error"') })
      await cleanUp()
    })

    test('files are encrypted, and bound to their place', async () => {
      const file = await store('the secret of the harbour')
      const { chunks } = await storedRows()
      expect(chunks).toHaveLength(1)
      expect(chunks[0]?.includes('harbour')).toBe(false)
      const other = await store('another')
      const { query } = world.ctx.database
      const content = chunks[0] ?? Buffer.alloc(0)
      const row = await query
        .selectFrom('files')
        .select('id')
        .where('public_id', '=', other.id)
        .executeTakeFirstOrThrow()
      await query.updateTable('file_chunks').set({ content }).where('file_id', '=', row.id).execute()
      expect(
        await failing(
          openAi()
            .files.content(other.id)
            .then((response) => response.text()),
        ),
      ).not.toBeNull()
      expect(await (await openAi().files.content(file.id)).text()).toBe('the secret of the harbour')
      await cleanUp()
    })

    test('files belong to their user, and to their key where it is limited to some models', async () => {
      const file = await store('mine')
      const userId = await world.addUser(1000)
      const stranger = openAi(await world.addToken(userId))
      expect(await failing(stranger.files.retrieve(file.id))).toMatchObject({ status: 404 })
      expect(await failing(stranger.files.content(file.id))).toMatchObject({ status: 404 })
      expect(await failing(stranger.files.delete(file.id))).toMatchObject({ status: 404 })
      expect((await stranger.files.list()).data).toEqual([])
      const limits = { model_limits_enabled: 1, model_limits: 'gpt-4.1' }
      const own = await stranger.files.create({ file: new File(['x'], 'x.txt'), purpose: 'user_data' })
      const limited = openAi(await world.addToken(userId, limits))
      expect((await limited.files.list()).data).toEqual([])
      const limitedFile = await limited.files.create({ file: new File(['y'], 'y.txt'), purpose: 'user_data' })
      expect((await limited.files.list()).data.map(({ id }) => id)).toEqual([limitedFile.id])
      expect((await stranger.files.list()).data.map(({ id }) => id)).toEqual([limitedFile.id, own.id])
      await cleanUp()
    })

    once('files that are not as they should be are refused, and nothing of them stays', async () => {
      const send = (form: FormData) =>
        fetch(`${world.url}/v1/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.key}` },
          body: form,
        })
      const form = (parts: Record<string, string | File>) => {
        const data = new FormData()
        for (const [name, part] of Object.entries(parts)) data.append(name, part)
        return data
      }
      const errorOf = async (response: Response) => [
        response.status,
        ((await response.json()) as { error: { param: string } }).error.param,
      ]
      const file = new File(['x'], 'x.txt')
      expect(await errorOf(await send(form({ file })))).toEqual([400, 'purpose'])
      expect(await errorOf(await send(form({ file, purpose: 'world-domination' })))).toEqual([400, 'purpose'])
      expect(await errorOf(await send(form({ purpose: 'vision' })))).toEqual([400, 'file'])
      expect(await errorOf(await send(form({ file: new File([], 'x'), purpose: 'vision' })))).toEqual([400, 'file'])
      const notLines = new File([`${line(1)}\n\nno JSON\n`], 'x.jsonl')
      const refused = await send(form({ file: notLines, purpose: 'batch' }))
      expect(await refused.json()).toMatchObject({
        error: { param: 'file', message: expect.stringContaining('line 3') },
      })
      const deep = new File([`{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`], 'x.jsonl')
      expect(await errorOf(await send(form({ file: deep, purpose: 'batch' })))).toEqual([400, 'file'])
      const lifetimes = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '60' }
      expect(await errorOf(await send(form({ file, purpose: 'vision', ...lifetimes })))).toEqual([
        400,
        'expires_after[seconds]',
      ])
      const noForm = await world.post('/v1/files', { purpose: 'batch' })
      expect([noForm.status, await noForm.json()]).toMatchObject([400, { error: { code: 'request.form' } }])
      await world.setOptions({ FileMegabytes: '1' })
      const large = new File([new Uint8Array(1024 * 1024 + 1)], 'x')
      expect((await send(form({ file: large, purpose: 'vision' }))).status).toBe(413)
      await world.setOptions({ FileMegabytes: '200', FileUserMegabytes: '1' })
      const half = new File([new Uint8Array(600 * 1024)], 'x')
      expect((await send(form({ file: half, purpose: 'vision' }))).status).toBe(200)
      const full = await send(form({ file: half, purpose: 'vision' }))
      expect([full.status, await full.json()]).toMatchObject([400, { error: { code: 'file.total' } }])
      await world.setOptions({ FileUserMegabytes: '2000' })
      expect((await openAi().files.list()).data).toHaveLength(1)
      await removeExpiredFiles(world.ctx, new AbortController().signal)
      expect((await storedRows()).files).toHaveLength(1)
      await cleanUp()
    })

    test('files expire when the site or the upload says so', async () => {
      await world.setOptions({ FileDays: '2' })
      const usual = await store('x')
      expect((usual.expires_at ?? 0) - usual.created_at).toBe(2 * 86_400)
      const expires_after = { anchor: 'created_at' as const, seconds: 3600 }
      const short = await openAi().files.create({ file: new File(['y'], 'y'), purpose: 'vision', expires_after })
      expect((short.expires_at ?? 0) - short.created_at).toBe(3600)
      await world.setOptions({ FileDays: '30' })
      await world.ctx.database.query
        .updateTable('files')
        .set({ expires_at: 5 })
        .where('public_id', '=', short.id)
        .execute()
      expect(await failing(openAi().files.retrieve(short.id))).toMatchObject({ status: 404 })
      expect((await openAi().files.list()).data.map(({ id }) => id)).toEqual([usual.id])
      await cleanUp()
    })

    once('files named in a call of any dialect reach any upstream as their content', async () => {
      const image = await store(pixel, 'pixel.png')
      const text = await anthropic().files.upload({ file: new File(['tides'], 'tides.txt', { type: 'text/plain' }) })
      const dataUrl = `data:image/png;base64,${pixel.toString('base64')}`
      requests.length = 0
      await openAi().chat.completions.create({
        model: 'gpt-4.1',
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: image.id } }] }],
      })
      const sentTo = (index: number) => JSON.stringify(requests[index])
      expect(requests[0]).toMatchObject({
        messages: [{ content: [{ type: 'file', file: { filename: 'pixel.png', file_data: dataUrl } }] }],
      })
      await openAi().responses.create({
        model: 'gpt-4.1',
        input: [{ role: 'user', content: [{ type: 'input_image', file_id: image.id, detail: 'low' }] }],
      })
      expect(sentTo(1)).toContain(dataUrl)
      await anthropic().messages.create({
        model: 'gpt-4.1',
        max_tokens: 10,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'file', file_id: image.id } },
              { type: 'document', source: { type: 'file', file_id: text.id } },
            ],
          },
        ],
      })
      expect(sentTo(2)).toContain(dataUrl)
      expect(sentTo(2)).toContain('tides')
      for (const request of requests) expect(JSON.stringify(request)).not.toContain(image.id)
      await cleanUp()
    })

    once('a file counts towards the longest request as often as it is named, and as it is written there', async () => {
      const file = await store('x'.repeat(400_000), 'long.txt')
      const escaped = await store('\u0001'.repeat(400_000), 'escaped.txt')
      const send = (times: number, { id }: { readonly id: string }) => {
        const part = { type: 'file' as const, file: { file_id: id } }
        return openAi().chat.completions.create({
          model: 'gpt-4.1',
          messages: [{ role: 'user', content: Array.from({ length: times }, () => part) }],
        })
      }
      requests.length = 0
      expect(await failing(send(100, file))).toMatchObject({ code: 'file.inline_size' })
      expect(await failing(send(20, escaped))).toMatchObject({ code: 'file.inline_size' })
      expect(requests).toEqual([])
      await send(2, file)
      expect(JSON.stringify(requests[0]).split('file_data')).toHaveLength(3)
      await cleanUp()
    })

    test('uploads at the same time do not pass the total of their user together', async () => {
      await world.setOptions({ FileUserMegabytes: '1' })
      const uploads = await Promise.allSettled(
        Array.from({ length: 4 }, (_, index) => store('x'.repeat(600_000), `${index}.txt`)),
      )
      expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await openAi().files.list()).data).toHaveLength(1)
      await cleanUp()
    })

    once('files of others, unfitting ones and files on a site that has none are refused in calls', async () => {
      const text = await store('tides', 'tides.txt')
      const tryImage = (fileId: string, apiKey?: string) =>
        failing(
          anthropic(apiKey).messages.create({
            model: 'gpt-4.1',
            max_tokens: 10,
            messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: fileId } }] }],
          }),
        )
      expect(await tryImage(text.id)).toMatchObject({ status: 400, message: expect.stringContaining('text/plain') })
      const stranger = await world.addToken(await world.addUser(1_000_000))
      expect(await tryImage(text.id, stranger)).toMatchObject({ status: 404 })
      expect(await tryImage('file-of-a-vendor')).toMatchObject({ status: 404 })
      const callNaming = (count: number, idOf: (index: number) => string) =>
        world.post('/v1/responses', {
          model: 'gpt-4.1',
          input: [
            {
              role: 'user',
              content: Array.from({ length: count }, (_, at) => ({ type: 'input_file', file_id: idOf(at) })),
            },
          ],
        })
      const many = await callNaming(1001, (index) => `file-tg${String(index).padStart(24, '0')}`)
      expect([many.status, await many.json()]).toMatchObject([400, { error: { code: 'object.many' } }])
      expect((await callNaming(20, () => text.id)).status).toBe(200)
      await world.setOptions({ FilesEnabled: 'false' })
      expect(await tryImage(text.id)).toMatchObject({ status: 404 })
      expect(await failing(store('x'))).toMatchObject({ status: 501 })
      await world.setOptions({ FilesEnabled: 'true' })
      await cleanUp()
    })

    once('files are objects of the bucket where the site has one', async () => {
      await using s3 = await startS3()
      await world.setOptions(bucketOptions(s3))
      const long = 'x'.repeat(pieceBytes + 1)
      const file = await store(long)
      expect([...s3.objects.keys()].map((key) => key.replace(file.id, 'id'))).toEqual([
        'task-results/files/id/000000',
        'task-results/files/id/000001',
      ])
      expect((await storedRows()).chunks).toEqual([])
      expect(await (await openAi().files.content(file.id)).text()).toBe(long)
      s3.fault = { kind: 'fail', method: 'PUT' }
      expect(await failing(store(long))).toMatchObject({ status: 503, code: 'file.away' })
      s3.fault = null
      await cleanUp()
      expect([...s3.objects.keys()]).toEqual([])
      await world.setOptions({ TaskBucketEndpoint: '', TaskResultStorage: 'provider' })
    })
  })
}
