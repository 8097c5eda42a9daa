import { TaskBook } from './task-book'
import { videoProtocols, type Submitted } from './video-protocols'

/** A request that a stand-in received. */
interface Received {
  readonly call: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Submitted
}

/** Stand-ins for vendors of videos on one port, each below a path of its own name. */
export interface VideoVendors extends AsyncDisposable {
  readonly url: string
  readonly taskBook: TaskBook
  readonly requests: readonly Received[]
}

/** Starts them. */
export function startVideoVendors(): VideoVendors {
  const taskBook = new TaskBook()
  const requests: Received[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    async fetch(request): Promise<Response> {
      const { origin, pathname, searchParams } = new URL(request.url)
      const [, vendor = '', ...rest] = pathname.split('/')
      const path = `/${rest.join('/')}`
      const body = await submittedIn(request)
      requests.push({ call: `${request.method} ${pathname}`, headers: Object.fromEntries(request.headers), body })
      if (vendor === 'files') return new Response(`film of ${rest[0]}`, { headers: { 'content-type': 'video/mp4' } })
      const protocol = videoProtocols[vendor]
      if (!protocol) return Response.json({ error: { message: 'No such vendor' } }, { status: 404 })
      const fileOf = (id: string) => `${origin}/files/${id}`
      const requested = { method: request.method, path, query: searchParams, body, fileOf }
      const aside = protocol.aside?.(requested)
      if (aside) return aside
      const id = protocol.idIn(requested)
      if (id === null) {
        const task = taskBook.submit({ ...body, path })
        return task
          ? protocol.accept(task.id, requested)
          : Response.json({ error: refusal, ...refusal }, { status: 400 })
      }
      const task = taskBook.tasks.get(id)
      if (protocol.isContent?.(requested) === true)
        return protocol.content?.(id, requested) ?? new Response(null, { status: 404 })
      const state = taskBook.query(id)
      if (!task || !state)
        return protocol.unknown?.() ?? Response.json({ error: { message: 'Unknown' } }, { status: 404 })
      return protocol.report(id, state, task.body, requested)
    },
  })
  const url = String(server.url).replace(/\/$/, '')
  return { url, taskBook, requests, [Symbol.asyncDispose]: () => server.stop(true) }
}

const refusal = { code: 'invalid_value', message: 'The prompt is refused' }

async function submittedIn(request: Request): Promise<Submitted> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/')) return Object.fromEntries(await request.formData())
  const text = await request.text()
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  return text === '' ? {} : (JSON.parse(text) as Submitted)
}
