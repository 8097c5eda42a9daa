import { createHash, createHmac } from 'node:crypto'

/** A Telegram user as the widget describes one. */
export interface TelegramUser {
  readonly id: number
  readonly first_name: string
  readonly last_name?: string
  readonly username?: string
  readonly photo_url?: string
}

/**
 * Returns the signed data that a bot's login widget passes to the page.
 * https://core.telegram.org/widgets/login#checking-authorization
 */
export function telegramAssertion(
  botToken: string,
  user: TelegramUser,
  authDate: number,
): Record<string, string> & { readonly hash: string } {
  const fields: Record<string, string> = { auth_date: String(authDate) }
  for (const [name, value] of Object.entries(user)) fields[name] = String(value)
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n')
  const key = createHash('sha256').update(botToken).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}

/** A stand-in for Telegram's login widget: its script, and the frame with the button. */
export interface TelegramWidget {
  readonly url: string
  readonly botName: string
  readonly botToken: string
  /** The origin that the bot's owner registered. */
  origin: string
  /** Who confirms the next sign-in. */
  user: TelegramUser
  stop(): Promise<void>
}

/** Starts one on loopback. https://core.telegram.org/widgets/login */
export function startTelegramWidget(): TelegramWidget {
  function embed(bot: string, requested: URLSearchParams): Response {
    if (bot !== widget.botName) return html('Username invalid')
    if (requested.get('origin') !== widget.origin) return html('Bot domain invalid')
    const confirm = `/stand-in/confirm?${new URLSearchParams({ return_to: requested.get('return_to') ?? '' }).toString()}`
    return html(`<a target="_top" href="${Bun.escapeHTML(confirm)}">Log in with Telegram</a>`)
  }

  function confirm(requested: URLSearchParams): Response {
    const back = new URL(requested.get('return_to') ?? '')
    if (back.origin !== widget.origin) return new Response('redirect url invalid', { status: 400 })
    const assertion = telegramAssertion(widget.botToken, widget.user, Math.floor(Date.now() / 1000))
    for (const [name, value] of Object.entries(assertion)) back.searchParams.set(name, value)
    return Response.redirect(back.href)
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/js/telegram-widget.js') {
        return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
      }
      const bot = /^\/embed\/([^/]+)$/.exec(pathname)?.[1]
      if (bot !== undefined) return embed(bot, searchParams)
      if (pathname === '/stand-in/confirm') return confirm(searchParams)
      return new Response('not found', { status: 404 })
    },
  })
  const widget: TelegramWidget = {
    url: `http://127.0.0.1:${server.port}`,
    botName: 'stand_in_bot',
    botToken: '123456:STAND-IN',
    origin: '',
    user: { id: 1, first_name: 'Ann' },
    stop: () => server.stop(true),
  }
  return widget
}

const html = (body: string) =>
  new Response(`<!doctype html><html lang="en"><title>Telegram</title>${body}</html>`, {
    headers: { 'Content-Type': 'text/html' },
  })

/** Puts a frame where the script stands, with the settings of its attributes. */
const script = `
(() => {
  const element = document.currentScript
  const { telegramLogin, authUrl, lang } = element.dataset
  const asked = new URLSearchParams({ origin: location.origin, return_to: authUrl, lang })
  const src = new URL('/embed/' + telegramLogin + '?' + asked, element.src).href
  element.after(Object.assign(document.createElement('iframe'), { src, title: 'Telegram', width: 240, height: 40 }))
})()
`
