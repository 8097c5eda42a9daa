/** A stand-in for Cloudflare Turnstile: its widget and the call that verifies what the widget gave. */
export interface TurnstileStandIn {
  readonly url: string
  readonly siteKey: string
  readonly secretKey: string
  /** What a visitor who solved the widget sends along; worth something once. */
  solve(solved?: Partial<Solved>): string
  /** Calls that verified a token, as they came. */
  readonly verifications: readonly Verification[]
  /** While true the service does not answer as it should. */
  isDown: boolean
  stop(): Promise<void>
}

/** What is known about a solved widget. */
export interface Solved {
  readonly hostname: string
  readonly action: string
}

export interface Verification {
  readonly secret: string
  readonly response: string
  readonly remoteip: string
  readonly errors: readonly string[]
}

interface TurnstileOptions {
  /** Host name of the page the widget is solved on, where `solve` does not name one. */
  readonly hostname?: string
  readonly secretKey?: string
}

/** Start one on loopback. https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export function startTurnstile({
  hostname = 'localhost',
  secretKey = '0x4AAAAAAA-stand-in-secret',
}: TurnstileOptions = {}): TurnstileStandIn {
  const siteKey = '0x4AAAAAAA-stand-in'
  const solved = new Map<string, Solved>()
  const verifications: Verification[] = []
  const solve = (of: Partial<Solved> = {}): string => {
    const token = `0.${crypto.randomUUID()}`
    solved.set(token, { hostname, action: '', ...of })
    return token
  }

  function verify(form: FormData): Response {
    const text = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    const fields = { secret: text('secret'), response: text('response'), remoteip: text('remoteip') }
    const found = solved.get(fields.response)
    const errors = [
      ...(fields.secret === ''
        ? ['missing-input-secret']
        : fields.secret === secretKey
          ? []
          : ['invalid-input-secret']),
      ...(fields.response === '' ? ['missing-input-response'] : found ? [] : ['timeout-or-duplicate']),
    ]
    verifications.push({ ...fields, errors })
    if (errors.length > 0 || !found) return Response.json({ success: false, 'error-codes': errors, messages: [] })
    solved.delete(fields.response)
    const at = new Date().toISOString()
    return Response.json({ success: true, challenge_ts: at, 'error-codes': [], cdata: '', ...found })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (standIn.isDown) return new Response('down', { status: 503 })
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/turnstile/v0/api.js') {
        return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
      }
      if (pathname === '/stand-in/frame') return new Response(frame, { headers: { 'Content-Type': 'text/html' } })
      if (pathname === '/stand-in/solve') {
        return new Response(
          solve({ hostname: searchParams.get('hostname') ?? '', action: searchParams.get('action') ?? '' }),
        )
      }
      if (pathname !== '/turnstile/v0/siteverify' || request.method !== 'POST') {
        return new Response('not found', { status: 404 })
      }
      return verify(await request.formData())
    },
  })
  const standIn: TurnstileStandIn = {
    url: `http://127.0.0.1:${server.port}`,
    siteKey,
    secretKey,
    solve,
    verifications,
    isDown: false,
    stop: () => server.stop(true),
  }
  return standIn
}

/** What pages load: it frames the widget and hears what it gives, with the calls of the real script. */
const script = `
(() => {
  const origin = new URL(document.currentScript.src).origin
  const shown = new Map()
  addEventListener('message', ({ data, source }) => {
    for (const { frame, callback } of shown.values()) if (frame.contentWindow === source) callback(data)
  })
  const framed = (id, { action = '' }) =>
    origin + '/stand-in/frame?' + new URLSearchParams({ id, hostname: location.hostname, action })
  globalThis.turnstile = {
    render(place, options) {
      const box = typeof place === 'string' ? document.querySelector(place) : place
      const id = 'stand-in-' + crypto.randomUUID()
      const frame = Object.assign(document.createElement('iframe'), { title: 'Human check', width: 300, height: 65 })
      frame.src = framed(id, options)
      box.append(frame)
      shown.set(id, { frame, callback: options.callback ?? (() => {}), options })
      return id
    },
    reset(id) {
      const widget = shown.get(id)
      if (widget) widget.frame.src = framed(id, widget.options)
    },
    remove(id) {
      shown.get(id)?.frame.remove()
      shown.delete(id)
    },
    ready: (act) => act(),
  }
})()
`

/** The widget: pressed, it is solved. */
const frame = `<!doctype html><html lang="en"><title>Human check</title><button>I am human</button><script>
const solve = async () => parent.postMessage(await (await fetch('/stand-in/solve' + location.search)).text(), '*')
document.querySelector('button').onclick = () => void solve()
</script></html>`
