import { cutOff } from '../http/cut-off'
import { TaskBook, type TaskState } from './task-book'

/** A stand-in for Suno-API, on a port of its own. */
export interface SunoStandIn extends AsyncDisposable {
  readonly url: string
  readonly taskBook: TaskBook
  /** Every request: method, path and the key that it came with. */
  readonly requests: readonly { readonly call: string; readonly key: string; readonly body: unknown }[]
  /** Each answer is repeated within the same reply. */
  isStuttering: boolean
  /** Submissions are accepted, and their responses are lost. */
  isCut: boolean
  /** Every request is answered with this status until it is null again. */
  broken: number | null
}

const wireStatus = { queued: 'QUEUED', running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' } as const

/** Starts one. Protocol: https://github.com/Suno-API/Suno-API */
export async function startSuno(): Promise<SunoStandIn> {
  const taskBook = new TaskBook()
  const requests: { call: string; key: string; body: unknown }[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body: unknown = request.method === 'POST' ? await request.json() : null
      requests.push({ call: `${request.method} ${pathname}`, key: request.headers.get('authorization') ?? '', body })
      if (suno.broken !== null)
        return Response.json({ code: 'error', message: 'out of order' }, { status: suno.broken })
      if (pathname.startsWith('/suno/submit/')) {
        const reply = submission(taskBook, membersIn(body))
        return suno.isCut ? cutOff() : reply
      }
      if (pathname === '/suno/fetch') return reports(taskBook, membersIn(body), suno.isStuttering)
      if (pathname === '/suno/cancel') return cancelTask(taskBook, membersIn(body))
      if (pathname === '/files/page') return new Response('<p>', { headers: { 'content-type': 'text/html' } })
      if (pathname === '/files/large')
        return new Response(new Uint8Array(2_000_000), { headers: { 'content-type': 'audio/mpeg' } })
      if (pathname.startsWith('/files/'))
        return new Response(`sound of ${pathname.slice('/files/'.length)}`, {
          headers: { 'content-type': 'audio/mpeg' },
        })
      return Response.json({ code: 'not_found', message: 'No such call' }, { status: 404 })
    },
  })
  const url = String(server.url).replace(/\/$/, '')
  const suno: SunoStandIn = {
    url,
    taskBook,
    requests,
    isStuttering: false,
    isCut: false,
    broken: null,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return suno
}

function submission(taskBook: TaskBook, body: Record<string, unknown>): Response {
  const task = taskBook.submit(body)
  if (!task) return Response.json({ code: 'invalid_request', message: 'The lyrics are refused', data: null })
  return Response.json({ code: 'success', message: '', data: task.id })
}

/** A task can be stopped while it is queued: until it is queried for the second time. */
function cancelTask(taskBook: TaskBook, { id }: Record<string, unknown>): Response {
  const task = typeof id === 'string' ? taskBook.tasks.get(id) : undefined
  if (!task || task.queries > 1) return Response.json({ code: 'error', message: 'Too late' }, { status: 409 })
  taskBook.tasks.delete(task.id)
  return Response.json({ code: 'success', message: '' })
}

function reports(taskBook: TaskBook, { ids }: Record<string, unknown>, isStuttering: boolean): Response {
  const requested: unknown[] = Array.isArray(ids) ? ids : []
  const data = requested.flatMap((id) => {
    const state = typeof id === 'string' ? taskBook.query(id) : null
    if (!state || typeof id !== 'string') return []
    const reported = [taskIn(id, state)]
    return isStuttering ? [...reported, taskIn(id, state)] : reported
  })
  return Response.json({ code: 'success', message: '', data })
}

const taskIn = (id: string, { status, progress }: TaskState) => ({
  task_id: id,
  action: 'MUSIC',
  status: wireStatus[status],
  fail_reason: status === 'failed' ? 'The song could not be made' : '',
  progress: `${progress}%`,
  data: status === 'done' ? [song(id)] : [],
})

const song = (id: string) => ({
  id: `song-${id}`,
  title: 'A song',
  status: 'complete',
  audio_url: `https://cdn.suno.example/${id}.mp3`,
  video_url: '',
  image_url: `https://cdn.suno.example/${id}.jpeg`,
  metadata: { duration: 12.5 },
})

const membersIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
