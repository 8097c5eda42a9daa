import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { startSuno, type SunoStandIn } from '@tollgate/simulator'

import { startSession } from '../../../accounts/sessions/sessions'
import { eachDatabase } from '../../../../test/databases'
import { FakeTime } from '../../../../test/fake-time'
import { pollRounds } from '../../../../test/poll-rounds'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../../test/relay-world'
import type { DatabaseKind } from '../../../platform/store/database'

const dollar = 500_000

interface ApiResult<Data> {
  readonly status: number
  readonly json: { readonly code: string; readonly message: string; readonly data: Data }
}

interface SongTask {
  readonly task_id: string
  readonly finish_time: number
  readonly data: readonly { readonly id: string }[]
}

for (const kind of eachDatabase) describe(`songs (${kind})`, () => songs(kind))

function songs(kind: DatabaseKind): void {
  const clock = new FakeTime()
  let world: RelayWorld
  let suno: SunoStandIn
  let user: number
  let key: string
  beforeAll(async () => {
    world = await createRelayWorld({ kind, clock })
    suno = await startSuno()
    await world.addChannel({ type: 36, base_url: suno.url, models: 'suno_music,suno_lyrics' })
    await world.setOptions({ RetryTimes: '0' })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await suno[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    user = await world.addUser(dollar)
    key = await world.addToken(user)
  })

  async function send<Data = string>(path: string, body?: object, secret = key): Promise<ApiResult<Data>> {
    const response = await fetch(world.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as ApiResult<Data>['json'] }
  }

  const poll = (rounds: number) => pollRounds(world.ctx, clock, rounds)
  const readSpent = async () => dollar - (await world.balanceOf(user))

  test('the playground makes a song for a signed-in user, in the chosen group', async () => {
    const id = await startSession(world.ctx, { userId: user, ip: '', userAgent: '' })
    const make = async (cookie: string) => {
      const response = await fetch(`${world.url}/pg/suno/submit/music`, {
        method: 'POST',
        headers: { cookie, 'tollgate-user': String(user) },
        body: JSON.stringify({ gpt_description_prompt: 'A shanty about ice', group: 'default' }),
      })
      return { status: response.status, ...((await response.json()) as ApiResult<string>['json']) }
    }
    const { data: publicId } = await make(`session=${id}`)
    const row = world.ctx.database.query.selectFrom('tasks').selectAll().where('public_id', '=', publicId)
    expect(await row.executeTakeFirst()).toMatchObject({ user_id: user, token_id: 0, token_name: 'playground-default' })
    expect((await make('session=x')).status).toBe(401)
  })

  test('a program for Suno-API makes a song, hears it, lets it go on and pays for both', async () => {
    const submission = await send('/suno/submit/music', {
      gpt_description_prompt: 'A shanty about ice',
      notify_hook: 'https://a.example',
    })
    expect<object>(submission).toEqual({
      status: 200,
      json: { code: 'success', message: '', data: expect.stringMatching(/^task_\w{20,}$/) },
    })
    expect(suno.requests.at(-1)).toEqual({
      call: 'POST /suno/submit/music',
      key: `Bearer ${upstreamKey}`,
      body: { gpt_description_prompt: 'A shanty about ice', mv: 'chirp-v3-0' },
    })
    const id = submission.json.data
    await poll(3)
    const { json } = await send<SongTask>(`/suno/fetch/${id}`)
    expect<object>(json).toEqual({
      code: 'success',
      message: '',
      data: {
        task_id: id,
        notify_hook: '',
        action: 'MUSIC',
        status: 'SUCCESS',
        fail_reason: '',
        submit_time: expect.any(Number),
        start_time: expect.any(Number),
        finish_time: expect.any(Number),
        progress: '100%',
        search_item: '',
        data: [expect.objectContaining({ title: 'A song', audio_url: expect.stringMatching(/\.mp3$/) })],
      },
    })
    expect(json.data.finish_time).toBeLessThan(10_000_000_000)

    const [vendorId] = [...suno.taskBook.tasks.keys()].slice(-1)
    const clip = json.data.data[0]?.id
    await send('/suno/submit/MUSIC', { prompt: '[Verse]', continue_clip_id: clip, continue_at: 12, task_id: id })
    expect(suno.requests.at(-1)?.body).toMatchObject({ task_id: vendorId, continue_clip_id: clip, continue_at: 12 })
    await poll(3)
    expect(await readSpent()).toBe(0.2 * dollar)
    const { query } = world.ctx.database
    const queued = await query.selectFrom('webhook_deliveries').selectAll().where('user_id', '=', user).execute()
    expect(queued.map(({ url }) => url)).toEqual(['https://a.example'])
    expect(JSON.parse(queued[0]?.body ?? '')).toMatchObject({ type: 'task', task_id: id, status: 'SUCCESS' })
  })

  test('lyrics cost their own price, and lists hold the caller’s tasks of the requested action', async () => {
    const song = (await send('/suno/submit/music', { prompt: '[Verse]' })).json.data
    const lyrics = (await send('/suno/submit/lyrics', { prompt: 'Ice' })).json.data
    await poll(3)
    const idsIn = async (body: object, secret = key) =>
      (await send<SongTask[]>('/suno/fetch', body, secret)).json.data.map((task) => task.task_id)
    const ids = [lyrics, song, 'task_unknown']
    expect(await idsIn({ ids })).toEqual([song, lyrics])
    expect(await idsIn({ ids, action: 'lyrics' })).toEqual([lyrics])
    expect(await idsIn({ ids: [] })).toEqual([])
    const other = await world.addToken(await world.addUser(dollar))
    expect(await idsIn({ ids }, other)).toEqual([])
    expect(await readSpent()).toBe(0.11 * dollar)
  })

  test('a song that fails costs nothing', async () => {
    suno.taskBook.next('fail')
    const id = (await send('/suno/submit/music', { prompt: '[Verse]' })).json.data
    await poll(4)
    expect((await send<object>(`/suno/fetch/${id}`)).json.data).toMatchObject({
      status: 'FAILURE',
      fail_reason: 'The song could not be made',
    })
    expect(await readSpent()).toBe(0)
  })

  test('errors have Suno-API’s names', async () => {
    const id = (await send('/suno/submit/music', { prompt: '[Verse]' })).json.data
    const poor = await world.addToken(await world.addUser(1000))
    const other = await world.addToken(await world.addUser(dollar))
    suno.taskBook.next('refuse')
    const refused = await send('/suno/submit/music', { prompt: '[Verse]' })
    const cases = [
      refused,
      await send('/suno/submit/music', {}),
      await send('/suno/submit/video', { prompt: '[Verse]' }),
      await send('/suno/submit/music', { prompt: '[Verse]' }, poor),
      await send(`/suno/fetch/${id}`, undefined, other),
      await send('/suno/submit/music', { prompt: '[Verse]', continue_clip_id: 'a', task_id: id }, other),
      await send('/suno/fetch', { ids: 'all' }),
      await send('/suno/submit/music', { prompt: '[Verse] test_sensitive' }),
      await send('/suno/submit/music', { prompt: '[Verse]', title: 'test_sensitive' }),
      await send('/suno/submit/music', { prompt: '[Verse]' }, 'sk-wrong'),
    ]
    expect<unknown[]>(cases.map(({ status, json }) => [status, json.code, json.data])).toEqual([
      [400, 'invalid_request', null],
      [400, 'invalid_request', null],
      [400, 'invalid_request', null],
      [403, 'quota_not_enough', null],
      [404, 'task_not_exist', null],
      [404, 'task_not_exist', null],
      [400, 'invalid_request', null],
      [400, 'sensitive_words_detected', null],
      [400, 'sensitive_words_detected', null],
      [401, 'invalid_api_key', null],
    ])
    expect(refused.json.message).toContain('The lyrics are refused')
  })

  test('songs and videos are closed where the site offers no tasks', async () => {
    await world.setOptions({ TaskEnabled: 'false' })
    const refused = await send('/suno/submit/music', { prompt: '[Verse]' })
    const videos = await send('/v1/videos')
    await world.setOptions({ TaskEnabled: 'true' })
    expect([refused.status, refused.json.code, videos.status]).toEqual([403, 'task.off', 403])
    expect(suno.requests.filter(({ key: sent }) => sent === '')).toEqual([])
  })
}
