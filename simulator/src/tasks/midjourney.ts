import { listOr, objectOr, textOr, type JsonObject } from '../json'
import { TaskBook, type StandInTask, type TaskState } from './task-book'

/** A stand-in for midjourney-proxy, on a port of its own. */
export interface MidjourneyStandIn extends AsyncDisposable {
  readonly url: string
  readonly taskBook: TaskBook
  /** Every request: method, path and the secret that it came with. */
  readonly requests: readonly { readonly call: string; readonly secret: string; readonly body: JsonObject }[]
  /** Replies to the next submissions, in place of the usual ones. */
  readonly replies: { readonly status?: number; readonly body: unknown }[]
  /** Every button opens a dialog first. */
  isRemix: boolean
}

/** One transparent pixel: every picture. */
export const midjourneyImage = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Starts one. Protocol: https://github.com/novicezk/midjourney-proxy */
export async function startMidjourney(): Promise<MidjourneyStandIn> {
  const taskBook = new TaskBook()
  /** Ids of drawings whose dialog was not answered yet. */
  const waiting = new Set<string>()
  const requests: { call: string; secret: string; body: JsonObject }[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = request.method === 'POST' ? objectOr(await request.json()) : {}
      requests.push({ call: `${request.method} ${pathname}`, secret: request.headers.get('mj-api-secret') ?? '', body })
      if (pathname.startsWith('/pictures/'))
        return new Response(midjourneyImage, { headers: { 'content-type': 'image/png' } })
      if (pathname === '/mj/task/list-by-condition') return Response.json(listTasks(body))
      if (pathname.endsWith('/image-seed'))
        return Response.json({ code: 1, description: 'Success', result: '2518472190' })
      return submitTask(pathname, body)
    },
  })
  const url = String(server.url).replace(/\/$/, '')
  const proxy: MidjourneyStandIn = {
    url,
    taskBook,
    requests,
    replies: [],
    isRemix: false,
    [Symbol.asyncDispose]: () => server.stop(true),
  }

  function submitTask(path: string, body: JsonObject): Response {
    const reply = proxy.replies.shift()
    if (reply) return Response.json(reply.body, { status: reply.status ?? 200 })
    if (path.endsWith('/upload-discord-images'))
      return acceptTask(
        1,
        listOr(body['base64Array']).map((_, index) => `${url}/pictures/upload-${index}.png`),
      )
    const origin = textOr(body['taskId'], '')
    if ('taskId' in body && !taskBook.tasks.has(origin))
      return Response.json({ code: 3, description: 'The task does not exist' }, { status: 404 })
    if (path.endsWith('/modal')) {
      waiting.delete(origin)
      return acceptTask(1, origin)
    }
    const task = taskBook.submit(body)
    if (!task) return Response.json({ code: 24, description: 'The prompt has a banned word', properties: {} })
    const button = textOr(body['customId'], '')
    if (!/^MJ::(?:CustomZoom|Inpaint)\b/.test(button) && !(proxy.isRemix && button !== ''))
      return acceptTask(1, task.id)
    waiting.add(task.id)
    return acceptTask(21, task.id, 'Waiting for window confirm', { remix: true, finalPrompt: 'A harbour' })
  }

  function listTasks({ ids }: JsonObject): JsonObject[] {
    return listOr(ids).flatMap((id) => {
      const task = taskBook.tasks.get(textOr(id, ''))
      if (!task) return []
      if (waiting.has(task.id)) return [{ id: task.id, status: 'MODAL', progress: '' }]
      const state = taskBook.query(task.id)
      return state ? [drawingIn(task, state, url)] : []
    })
  }

  return proxy
}

const acceptTask = (code: number, result: unknown, description = 'Submit success', properties: JsonObject = {}) =>
  Response.json({ code, description, result, properties })

const wireStatus = { queued: 'SUBMITTED', running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' } as const

function drawingIn({ id, body }: StandInTask, { status, progress }: TaskState, url: string): JsonObject {
  const prompt = textOr(body['prompt'], 'A harbour')
  return {
    id,
    prompt,
    promptEn: `${prompt}, in English`,
    description: `/imagine ${prompt}`,
    status: wireStatus[status],
    progress: `${progress}%`,
    imageUrl: status === 'running' || status === 'done' ? `${url}/pictures/${id}-${status}.png` : '',
    failReason: status === 'failed' ? 'The prompt was declined' : null,
    properties: { finalPrompt: `${prompt} --v 6`, discordInstanceId: '1118138338562560102' },
    buttons: status === 'done' ? buttonsOf(id) : [],
  }
}

const buttonsOf = (id: string): JsonObject[] =>
  ['upsample', 'variation'].flatMap((kind) =>
    [1, 2, 3, 4].map((index) => ({
      customId: `MJ::JOB::${kind}::${index}::${id}`,
      emoji: '',
      label: `${kind === 'upsample' ? 'U' : 'V'}${index}`,
      type: 2,
      style: 2,
    })),
  )
