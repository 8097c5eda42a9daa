import type { Database } from 'bun:sqlite'

import type { Page } from 'playwright-core'

/** Ids of tasks worth looking at. */
export interface PastTasks {
  readonly drawingId: number
  readonly songId: number
  readonly batchId: number
}

const imageLink = 'https://cdn.example.com/harbour.png'
const sound = 'https://cdn.example.com/harbour.mp3'
const film = 'https://cdn.example.com/harbour.mp4'
const minute = 60_000

interface PastTask {
  readonly platform: string
  readonly action: string
  readonly model: string
  readonly status: string
  readonly prompt: string
  readonly promptEn?: string
  readonly progress?: number
  readonly reason?: string
  readonly results?: readonly { readonly kind: string; readonly url: string }[]
  readonly data?: object
  /** How long ago it was submitted and how long it took, in minutes. */
  readonly age: number
  readonly took?: number
  readonly quota?: number
}

const drawing = { platform: 'mj', action: 'IMAGINE', model: 'mj_imagine' } as const
const song = { platform: 'suno', action: 'MUSIC', model: 'suno_music' } as const
const clip = { platform: 'video', action: 'GENERATE', model: 'veo-3.1-fast-generate-preview' } as const
const image = { platform: 'image', action: 'GENERATE', model: 'gpt-image-1' } as const
const response = { platform: 'response', action: 'RESPOND', model: 'gpt-4o', prompt: '' } as const
const batch = { platform: 'batch', action: 'BATCH', model: 'gpt-4o-mini', prompt: '/v1/chat/completions' } as const
const harbour = '清晨港口上空的纸风筝，水彩风格，柔和的光线，远处有渔船归来 --ar 16:9'
const lyrics = '[Verse]\nIce upon the harbour wall\nGulls above the market hall\n\n[Chorus]\nLet it snow, let it snow'

const aSucceededTask = (more: Partial<PastTask>) => ({ status: 'SUCCESS', progress: 100, ...more })

/** In every state, the oldest first. */
const past: readonly PastTask[] = [
  {
    ...drawing,
    ...aSucceededTask({ took: 0.7, quota: 50_000 }),
    prompt: 'isometric city block, paper craft',
    age: 26_000,
    results: [{ kind: 'image', url: imageLink }],
  },
  { ...drawing, status: 'CANCEL', prompt: 'a lighthouse in fog, oil on canvas', age: 9000, took: 3 },
  {
    ...drawing,
    ...aSucceededTask({ took: 0.9, quota: 50_000 }),
    action: 'UPSCALE',
    model: 'mj_upscale',
    prompt: 'a lighthouse in fog, oil on canvas',
    age: 4000,
    results: [{ kind: 'image', url: imageLink }],
  },
  {
    ...drawing,
    status: 'FAILURE',
    prompt: 'portrait of a well-known politician',
    age: 300,
    took: 0.1,
    reason:
      'Banned prompt detected. The service refuses prompts that name persons in public life; describe the person instead of naming them.',
  },
  {
    ...drawing,
    ...aSucceededTask({ took: 1.4, quota: 50_000 }),
    prompt: harbour,
    promptEn: 'Paper kite over a harbour at dawn, watercolour, soft light, fishing boats returning --ar 16:9',
    age: 50,
    results: [{ kind: 'image', url: imageLink }],
    data: { submission: { code: 1 } },
  },
  { ...drawing, status: 'MODAL', action: 'INPAINT', model: 'mj_inpaint', prompt: 'add a red buoy', age: 9 },
  {
    ...drawing,
    status: 'IN_PROGRESS',
    progress: 62,
    prompt: 'the same harbour at night',
    age: 1,
    data: { submission: { code: 22 } },
  },
  { ...drawing, status: 'NOT_START', prompt: 'a chart of the coast, engraving', age: 0.1 },
  {
    ...song,
    ...aSucceededTask({ took: 2.3, quota: 50_000 }),
    prompt: 'A shanty about ice in the harbour',
    age: 42,
    results: [
      { kind: 'audio', url: sound },
      { kind: 'video', url: film },
    ],
    data: { songs: [{ title: 'Harbour of Ice', audio_url: sound, video_url: film, metadata: { prompt: lyrics } }] },
  },
  {
    ...song,
    ...aSucceededTask({ took: 0.3, quota: 5_000 }),
    action: 'LYRICS',
    model: 'suno_lyrics',
    prompt: 'winter, harbour, hope',
    age: 30,
    data: { songs: { title: 'Harbour of Ice', text: lyrics } },
  },
  {
    ...clip,
    status: 'FAILURE',
    prompt: 'drone shot along a pier',
    age: 25,
    took: 11,
    reason: 'The vendor did not finish this task in time.',
  },
  {
    ...clip,
    ...aSucceededTask({ took: 1.8, quota: 600_000 }),
    prompt: 'waves against a breakwater, slow motion',
    age: 15,
    results: [{ kind: 'video', url: film }],
  },
  {
    ...image,
    ...aSucceededTask({ took: 0.4, quota: 20_000 }),
    prompt: 'a paper boat on a puddle, gouache',
    age: 8,
    results: [
      { kind: 'image', url: imageLink },
      { kind: 'image', url: imageLink },
    ],
  },
  { ...response, ...aSucceededTask({ took: 1.2, quota: 3_000 }), age: 6 },
  {
    ...response,
    status: 'FAILURE',
    age: 5,
    took: 0.2,
    reason: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  {
    ...batch,
    ...aSucceededTask({ took: 214, quota: 1_240_000 }),
    promptEn: '11988 ✓ 12 ✗ / 12000',
    age: 1300,
  },
  {
    ...batch,
    status: 'FAILURE',
    prompt: '/v1/embeddings',
    age: 310,
    took: 0.1,
    reason: 'Line 18: the model text-embedding-3-tiny does not exist.',
  },
  { ...batch, status: 'IN_PROGRESS', progress: 42, promptEn: '2080 ✓ 3 ✗ / 5000', age: 38 },
  { ...clip, status: 'IN_PROGRESS', progress: 35, prompt: 'gulls take off from a roof', age: 2 },
  { ...song, status: 'QUEUED', prompt: 'a quiet waltz for two pianos', age: 0.5 },
]

/** Serves a picture of a horizon in place of those at the vendor. */
export async function withImages(page: Page): Promise<void> {
  await page.route('**/api/task/result/*/image/*', (route) => {
    const hue = Bun.hash.crc32(route.request().url()) % 360
    const sky = `<rect width="16" height="9" fill="hsl(${hue} 60% 70%)"/><circle cx="11" cy="4" r="1.4" fill="#fff3"/>`
    const sea = `<rect y="6" width="16" height="3" fill="hsl(${hue} 45% 35%)"/>`
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9" width="960" height="540">${sky}${sea}</svg>`
    return route.fulfill({ contentType: 'image/svg+xml', body })
  })
}

/** Adds tasks of a user in every state, with what is held for the open ones. */
export function addTasks(database: Database, userId: number): PastTasks {
  const now = Date.now()
  const task = database.query(
    `insert into tasks (public_id, platform, action, model, user_id, username, token_id, token_name, "group", channel_id,
       channel_name, status, progress, fail_reason, prompt, prompt_en, data, results, quota, submitted_at, started_at, finished_at,
       deadline_at, poll_at)
     values (?, ?, ?, ?, ?, 'mei.chen', 1, 'Web shop', 'default', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null)`,
  )
  const hold = database.query(
    'insert into holds (id, user_id, token_id, is_token_limited, amount, created_at) values (?, ?, 1, 0, 50000, ?)',
  )
  const ids = past.map((one, index) => {
    const id = `task_${(index + 37).toString(36).padStart(4, '0')}Zk3vQ9w2Lr7TbX5nHs8cJd1f`
    const isOpen = one.took === undefined
    const submittedAt = now - one.age * minute
    const isAccepted = one.status !== 'NOT_START'
    const isAtVendor = isAccepted && one.platform !== 'batch'
    const { lastInsertRowid } = task.run(
      id,
      one.platform,
      one.action,
      one.model,
      userId,
      isAtVendor ? 1 : 0,
      isAtVendor ? 'Studio' : '',
      one.status,
      one.progress ?? 0,
      one.reason ?? '',
      one.prompt,
      one.promptEn ?? '',
      JSON.stringify(one.data ?? {}),
      JSON.stringify(one.results ?? []),
      one.quota ?? 0,
      submittedAt,
      isAccepted ? submittedAt + 1000 : 0,
      isOpen ? 0 : submittedAt + (one.took ?? 0) * minute,
      now + 60 * minute,
    )
    if (isOpen) hold.run(id, userId, Math.floor(submittedAt / 1000))
    return Number(lastInsertRowid)
  })
  const idOf = (matches: (one: PastTask) => boolean) => ids[past.findIndex(matches)] ?? 0
  return {
    drawingId: idOf(({ promptEn }) => promptEn !== undefined),
    songId: idOf(({ data }) => data !== undefined && 'songs' in data),
    batchId: idOf(({ platform, status }) => platform === 'batch' && status === 'IN_PROGRESS'),
  }
}
