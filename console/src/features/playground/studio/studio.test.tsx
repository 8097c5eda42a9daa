import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { taskRoutes } from '@tollgate/contract'
import { Suspense, use } from 'react'

import { aLog } from '../../../../test/log-factory'
import { aRow } from '../../../../test/pricing-factory'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { aSong } from '../../../../test/task-factories'
import { handDraft, takeDraft } from '../../../lib/url/playground-draft'
import { PlaygroundPage } from '../playground-page'
import { PlaygroundSearch } from '../playground-search'
import { Studio } from './studio'

const respondWithImages = (images: readonly object[]) =>
  Response.json({ created: 1, data: images }, { headers: { 'X-Request-Id': 'req-image' } })

async function open(
  answer: (signal: AbortSignal) => Response | Promise<Response>,
  models = ['dall-e-3', 'gpt-image-1'],
) {
  const calls = serve({
    'GET /api/user/models': () => models,
    'GET /api/user/self/groups': () => ({ default: { desc: '', ratio: 1 } }),
    'GET /api/pricing': () =>
      Response.json({
        success: true,
        message: '',
        data: [aRow({ model_name: 'dall-e-3', entry: { prices: { per_image: 0.04 } } })],
        group_ratio: { default: 1.5 },
        usable_group: {},
        vendors: {},
      }),
    'GET /api/log/self': () => ({ items: [aLog({ id: 7, quota: 20_000 })], page: 1, page_size: 10, total: 1 }),
    'POST /pg/images/generations': (_call, _headers, signal) => answer(signal),
  })
  const view = await renderConsole(<PlaygroundPage />, {
    address: '/playground?make=images',
    path: '/playground',
    validateSearch: (search) => PlaygroundSearch.parse(search),
  })
  const make = async (prompt: string) => {
    await view.user.type(await screen.findByRole('textbox', { name: 'Describe the image' }), prompt)
    await view.user.click(screen.getByRole('button', { name: 'Make' }))
  }
  const getRequestBodies = () => calls.filter(({ path }) => path === '/pg/images/generations').map(({ body }) => body)
  return { ...view, calls, make, getRequestBodies }
}

test('images are asked for as described, without what is left to the model, and shown with their cost', async () => {
  const { calls, make, getRequestBodies, user } = await open(() =>
    respondWithImages([
      { b64_json: '/9j/AAAA' },
      { url: 'https://cdn.example/kite.png' },
      { url: 'javascript:alert(1)' },
    ]),
  )
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Size' }), '1536x1024')
  expect(await screen.findByText('Image or page $0.06')).toBeTruthy()
  await make('a kite')
  const images = await screen.findAllByRole('img', { name: 'a kite' })
  expect(images.map((image) => image.getAttribute('src'))).toEqual([
    'data:image/jpeg;base64,/9j/AAAA',
    'https://cdn.example/kite.png',
  ])
  expect(getRequestBodies()).toEqual([
    { model: 'dall-e-3', group: 'default', prompt: 'a kite', n: 1, size: '1536x1024' },
  ])
  expect(await screen.findByText('$0.04')).toBeTruthy()
  expect(calls.find(({ path }) => path === '/api/user/models')?.query).toEqual({ makes: 'images' })
})

test('a refusal says why, and the same request can be made again', async () => {
  const refusal = { error: { message: 'The prompt was rejected', code: 'content_policy_violation' } }
  const { make, getRequestBodies, user } = await open(() => Response.json(refusal, { status: 400 }))
  await make('a kite')
  expect(await screen.findByText('The prompt was rejected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(getRequestBodies()).toHaveLength(2))
  expect(getRequestBodies()[1]).toEqual(getRequestBodies()[0])
})

test('a request can be stopped while it is being made', async () => {
  let isAborted = false
  const { make, user } = await open(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(new DOMException('Aborted', 'AbortError'))
        })
      }),
  )
  await make('a kite')
  await user.click(await screen.findByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Nothing made yet')).toBeTruthy()
  expect(isAborted).toBe(true)
})

test('a reader without models for images is told so', async () => {
  await open(() => respondWithImages([]), [])
  expect(await screen.findByText('No models are available yet')).toBeTruthy()
})

/** Opens a part of the studio whose tasks have these states in turn. */
async function openTasks(
  make: 'songs' | 'videos',
  submission: unknown,
  states: readonly taskRoutes.TaskEntity[],
  more = '',
) {
  let requests = 0
  const calls = serve({
    'GET /api/user/models': () => (make === 'songs' ? ['suno_music'] : ['sora-2', 'veo-3']),
    'GET /api/user/self/groups': () => ({ default: { desc: '', ratio: 1 } }),
    'GET /api/task/self': () => {
      const items = [states[Math.min((requests += 1), states.length) - 1]]
      return { items, page: 0, page_size: 1, total: 1, total_is_lower_bound: false }
    },
    'POST /pg/suno/submit/music': () => Response.json(submission),
    'POST /pg/videos': () => Response.json(submission),
  })
  const view = await renderConsole(<PlaygroundPage />, {
    address: `/playground?make=${make}${more}`,
    path: '/playground',
    validateSearch: (search) => PlaygroundSearch.parse(search),
    site: { enable_task: true },
  })
  const getSubmittedBodies = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { ...view, calls, getSubmittedBodies, sent: () => getSubmittedBodies()[0] }
}

test('a song is described, submitted and heard when it is done', async () => {
  const done = aSong({
    results: [{ kind: 'audio', url: '/api/task/result/song-1/audio/0', title: 'Harbour', text: '' }],
  })
  const { user, sent } = await openTasks('songs', { code: 'success', message: '', data: 'song-1' }, [done])
  await user.type(await screen.findByRole('textbox', { name: 'Describe the song' }), 'a shanty')
  await user.type(screen.getByRole('textbox', { name: 'Style' }), 'folk')
  await user.click(screen.getByRole('button', { name: 'Make' }))
  expect((await screen.findByLabelText('Harbour')).getAttribute('src')).toBe('/api/task/result/song-1/audio/0')
  expect(sent()).toEqual({
    gpt_description_prompt: 'a shanty',
    tags: 'folk',
    make_instrumental: false,
    group: 'default',
  })
  const link = screen.getByRole('link', { name: 'Open in the task log' })
  expect(link.getAttribute('href')).toBe('/app/logs/tasks?task=song-1&open=1')
})

test('a video that fails says why', async () => {
  const failed = aSong({ platform: 'video', status: 'FAILURE', fail_reason: 'The prompt names a person' })
  const { user, sent } = await openTasks('videos', { id: 'video-1', object: 'video' }, [failed])
  await user.type(await screen.findByRole('textbox', { name: 'Describe the video' }), 'waves')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Length' }), '8')
  await user.click(screen.getByRole('button', { name: 'Make' }))
  expect(await screen.findByText('The prompt names a person')).toBeTruthy()
  expect(sent()).toEqual({ model: 'sora-2', prompt: 'waves', seconds: '8', group: 'default' })
})

test('a video that failed can be made again as it was described', async () => {
  const failed = aSong({ platform: 'video', status: 'FAILURE', fail_reason: 'The prompt names a person' })
  const { user, getSubmittedBodies } = await openTasks('videos', { id: 'video-1', object: 'video' }, [failed])
  await user.type(await screen.findByRole('textbox', { name: 'Describe the video' }), 'waves')
  await user.click(screen.getByRole('button', { name: 'Make' }))
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(getSubmittedBodies()).toHaveLength(2))
  expect(getSubmittedBodies()[1]).toEqual(getSubmittedBodies()[0])
})

test('what another page hands over fills the form, and is not sent by itself', async () => {
  handDraft({ model: 'veo-3', messages: [{ role: 'user', content: 'waves' }] })
  const { user, getSubmittedBodies } = await openTasks(
    'videos',
    { id: 'video-1', object: 'video' },
    [aSong()],
    '&draft=1',
  )
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Describe the video' }).value).toBe('waves'),
  )
  expect(getSubmittedBodies()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Make' }))
  await waitFor(() => expect(getSubmittedBodies()).toEqual([{ model: 'veo-3', prompt: 'waves', group: 'default' }]))
})

test('all that is known of a video is handed over, and what has no field can be left out', async () => {
  handDraft({
    model: 'veo-3',
    messages: [{ role: 'user', content: 'waves' }],
    group: 'default',
    parameters: { duration: 7, size: '1024x576', seed: 7, negative_prompt: 'people' },
    lostFields: ['image'],
  })
  const { user, sent } = await openTasks('videos', { id: 'video-1', object: 'video' }, [aSong()], '&draft=1')
  await user.click(await screen.findByRole('button', { name: 'Remove negative_prompt' }))
  expect(screen.queryByText('negative_prompt: people')).toBeNull()
  expect(screen.getByText('seed: 7')).toBeTruthy()
  expect(screen.getByText(/Not kept with the task.*: image\./)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Make' }))
  await waitFor(() =>
    expect(sent()).toEqual({
      model: 'veo-3',
      prompt: 'waves',
      seconds: '7',
      size: '1024x576',
      seed: 7,
      group: 'default',
    }),
  )
})

test('what is handed over survives a page that is rendered again before it is shown', async () => {
  handDraft({ model: 'veo-3', messages: [{ role: 'user', content: 'waves' }] })
  serve({
    'GET /api/user/models': () => ['sora-2', 'veo-3'],
    'GET /api/user/self/groups': () => ({ default: { desc: '', ratio: 1 } }),
  })
  const texts = Promise.withResolvers<null>()
  const Late = () => use(texts.promise)
  const page = (
    <Suspense fallback="Loading">
      <Studio make="videos" hasDraft />
      <Late />
    </Suspense>
  )
  await renderConsole(page, {
    address: '/playground?make=videos&draft=1',
    path: '/playground',
    validateSearch: (search) => PlaygroundSearch.parse(search),
    site: { enable_task: true },
  })
  await screen.findByText('Loading')
  texts.resolve(null)
  const prompt = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Describe the video' })
  expect(prompt.value).toBe('waves')
  expect(takeDraft()).toBeUndefined()
})

test('a song is handed over with its lyrics, its title and its style', async () => {
  const parameters = { prompt: 'Heave ho', title: 'Ice', tags: 'folk', make_instrumental: false, mv: 'chirp-v4' }
  handDraft({ model: 'suno_music', messages: [{ role: 'user', content: 'Heave ho' }], parameters })
  const { user, sent } = await openTasks('songs', { code: 'success', message: '', data: 'song-1' }, [], '&draft=1')
  await user.click(await screen.findByRole('button', { name: 'Make' }))
  await waitFor(() => expect(sent()).toEqual({ ...parameters, group: 'default' }))
})

test('a song that is refused says why', async () => {
  const refusal = { code: 'quota_not_enough', message: 'Your balance is used up', data: null }
  const { user } = await openTasks('songs', refusal, [])
  await user.type(await screen.findByRole('textbox', { name: 'Describe the song' }), 'a shanty')
  await user.click(screen.getByRole('button', { name: 'Make' }))
  expect(await screen.findByText('Your balance is used up')).toBeTruthy()
})
