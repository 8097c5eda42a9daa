import { FormFile } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'
import { z } from 'zod'

import { providers } from '../index'
import type { TaskTarget } from '../tasks'
import { requestedRatio, nearestResolution, resolutionName } from '../videos/frame-size'
import { openAiVideos } from '../videos/openai-videos'
import type { VideoApi, VideoRequest } from '../videos/video-request'
import { jimengVideos } from './jimeng'
import { klingToken } from './kling'
import { volcEngineSignature } from './volcengine-signature'

const AnyObject = z.record(z.string(), z.unknown())

/** Where the shapes of replies come from. The texts in them are invented. */
const Source = z.strictObject({ kind: z.literal('documented'), pages: z.array(z.url()).min(1) })

const Target = z.strictObject({
  key: z.string().optional(),
  other: z.string().optional(),
  model: z.string(),
  name: z.string().optional(),
})

const Call = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  url: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: AnyObject.optional(),
  isForm: z.boolean().optional(),
})

const Reply = z.strictObject({ status: z.number(), body: z.unknown() })

const Fixture = z.strictObject({
  source: Source,
  submissions: z.array(z.strictObject({ target: Target, request: AnyObject, call: Call, accepts: AnyObject })).min(1),
  /** Replies to the first submission. */
  replies: z.array(z.strictObject({ reply: Reply, submission: AnyObject })).min(2),
  /** Questions about the tasks of the first submission, and what replies to them report. */
  ids: z.array(z.string()).min(1),
  fetch: Call,
  reports: z.array(z.strictObject({ reply: z.unknown(), reports: z.array(AnyObject) })).min(3),
  content: z
    .strictObject({ result: AnyObject, call: Call, reply: z.unknown().optional(), place: AnyObject.optional() })
    .optional(),
  cancel: Call.optional(),
  /** By which the first submission is found, where the vendor keeps names. */
  namedId: z.string().optional(),
})

const plainWish: VideoRequest = {
  prompt: '',
  negativePrompt: null,
  seconds: null,
  frame: null,
  resolution: null,
  aspectRatio: null,
  quality: null,
  hasSound: null,
  seed: null,
  firstFrame: null,
  lastFrame: null,
  references: [],
  own: {},
}

const vendors = await Promise.all(
  providers.flatMap(({ id, baseUrl, tasks }) => (tasks?.video ? [withFixture(id, baseUrl, tasks.video)] : [])),
)

async function withFixture(id: string, baseUrl: string | null, api: VideoApi) {
  const json: unknown = await Bun.file(`${import.meta.dir}/fixtures/videos/${id}.json`).json()
  return { id, api, baseUrl: baseUrl ?? 'https://upstream.example', fixture: Fixture.parse(json) }
}

for (const { id, api, baseUrl, fixture } of vendors) {
  const targetOf = ({ key = 'key-1', other = '', model, name = '' }: z.infer<typeof Target>): TaskTarget => ({
    baseUrl,
    key,
    other,
    model,
    site: { name: 'Gate', url: 'https://gate.example' },
    nowMs: 1_700_000_000_000,
    callbackUrl: null,
    name,
  })
  const { submissions, ids } = fixture
  const [first] = submissions
  const target = targetOf(first?.target ?? { model: '' })

  describe(`videos of ${id}`, () => {
    test.each(submissions.map((submission, index) => [index, submission] as const))(
      'submission %i has the form that the vendor documents',
      (_place, { target: overrides, request: requested, call, accepts }) => {
        const request: VideoRequest = { ...plainWish, ...(requested as Partial<VideoRequest>) }
        const written = api.submit(request, targetOf(overrides))
        expect(JSON.parse(JSON.stringify(written))).toEqual(call)
        expect(api.accepts(request, targetOf(overrides))).toEqual(accepts)
      },
    )

    test.each(fixture.replies)('reply $reply.status to a submission is understood', ({ reply, submission }) => {
      const call = first?.call ?? { method: 'POST', url: '' }
      expect(api.readSubmission(reply, call)).toMatchObject(submission)
    })

    test('a submission whose response was lost is found by its name where the vendor keeps names', () => {
      expect(api.namedId?.(first?.call ?? { method: 'POST', url: '' }, target)).toBe(fixture.namedId)
    })

    test('a question about tasks names them', () => expect(api.fetch(ids, target)).toEqual(fixture.fetch))

    test.each(fixture.reports)('report %# tells how the task is doing', ({ reply, reports }) => {
      expect(JSON.parse(JSON.stringify(api.readReports({ status: 200, body: reply }, ids)))).toEqual(reports)
    })

    test('a result without an address of its own is asked for', () => {
      expect(api.content === undefined).toBe(fixture.content === undefined)
      if (api.content === undefined || fixture.content === undefined) return
      const { result, call, reply, place } = fixture.content
      const taskResult = { kind: 'video', ...result } as const
      expect(api.content.call(taskResult, { vendorId: ids[0] ?? '' }, target)).toEqual(call)
      const found = api.content.read?.({ status: 200, body: reply }, taskResult)
      expect(found).toEqual(place === undefined ? undefined : expect.objectContaining(place))
    })

    test('a task that has not begun can be stopped where the vendor allows it', () => {
      expect(api.cancel?.(ids[0] ?? '', target)).toEqual(fixture.cancel)
    })

    test('a file without bytes or a strange reply never throws', () => {
      const request = {
        ...plainWish,
        prompt: 'A fox',
        references: [new FormFile('a.png', 'image/png', new Uint8Array(0))],
      }
      expect(api.submit(request, target).method).toBe('POST')
      for (const body of [null, '', [], {}, { data: null }, { error: 'no' }]) {
        expect(api.readSubmission({ status: 200, body }, { method: 'POST', url: '' })).toMatchObject({
          kind: 'refused',
        })
        for (const report of api.readReports({ status: 200, body }, ids)) expect(report.results ?? []).toEqual([])
      }
    })
  })
}

describe('what proves who calls', () => {
  const nowMs = 1_700_000_000_000

  test('an access key of Kling and its secret sign a token for half an hour', () => {
    expect(klingToken('ak|sk', nowMs)).toBe(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhayIsImV4cCI6MTcwMDAwMTgwMCwibmJmIjoxNjk5OTk5OTk1fQ.mgn0T3D3XT4hbNxAtEsJsDH8-Kpgvs6l8t89iZ9EkEg',
    )
  })

  test('a key of another gateway that serves Kling is sent as it is', () => {
    expect(klingToken('sk-example', nowMs)).toBe('sk-example')
  })

  test('a signature of Volcengine covers the query, the body and the time', () => {
    const signed = {
      url: 'https://visual.volcengineapi.com/?Version=2022-08-31&Action=CVSync2AsyncGetResult',
      body: '{"req_key":"jimeng_t2v_v30","task_id":"7392616336519610409"}',
      accessKey: 'AKLTexample',
      secret: 'c2VjcmV0',
      region: 'cn-north-1',
      service: 'cv',
      nowMs,
    }
    // Computed by another implementation of the documented steps.
    const signature = '53dba2063383ae3a9ea80636ec0857c23db18b81315ec02b5c460d5c8e1cfd45'
    expect(volcEngineSignature(signed)['authorization']).toEndWith(`Signature=${signature}`)
    expect(volcEngineSignature({ ...signed, body: '{}' })['authorization']).not.toEndWith(signature)
    expect(volcEngineSignature({ ...signed, nowMs: nowMs + 1000 })['authorization']).not.toEndWith(signature)
  })
})

describe('the size of a video', () => {
  test.each([
    ['1280x720', '720p'],
    ['1080*1920', '1080p'],
    ['3840x2160', '4k'],
    ['1792x1024', '1024p'],
    ['768P', '768p'],
    [1080, '1080p'],
    ['2K', '2k'],
    ['large', null],
  ])('%p is %p in the words of prices', (value, name) => expect(resolutionName(value)).toBe(name))

  test('a frame becomes the nearest resolution and ratio that the vendor offers', () => {
    const request = { ...plainWish, frame: { width: 832, height: 480 } }
    expect(nearestResolution(request, ['720p', '480p', '1080p'])).toBe('480p')
    expect(requestedRatio(request, ['16:9', '9:16', '1:1'])).toBe('16:9')
    expect(nearestResolution(plainWish, ['768p', '1080p'])).toBe('768p')
    expect(nearestResolution({ ...request, resolution: '4k' }, ['720p'])).toBe('4k')
  })
})

test('a question that Jimeng has no time for does not end the task', () => {
  const ids = ['jimeng_t2v_v30/7392616336519610409']
  const busy = { code: 50430, data: null, message: 'Request Has Reached API Concurrent Limit, Please Try Later' }
  expect(() => jimengVideos.readReports({ status: 200, body: busy }, ids)).toThrow(TypeError)
})

test('a picture inside a request is sent as a file to vendors of OpenAI’s form', () => {
  const { body, isForm } = openAiVideos().submit(
    { ...plainWish, prompt: 'A fox', firstFrame: 'data:image/jpeg;base64,/9j/4AAQ' },
    {
      baseUrl: 'https://upstream.example',
      key: '',
      model: 'a-model',
      other: '',
      site: { name: '', url: '' },
      nowMs: 0,
      callbackUrl: null,
      name: '',
    },
  )
  const file = body?.['input_reference']
  expect(isForm).toBe(true)
  expect(file instanceof FormFile && [file.filename, file.type, Buffer.from(file.bytes).toString('base64')]).toEqual([
    'reference.jpeg',
    'image/jpeg',
    '/9j/4AAQ',
  ])
})
