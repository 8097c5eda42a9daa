/** A stand-in for the bridge server between a site and its WeChat public account. */
export interface WeChatServer {
  readonly url: string
  readonly token: string
  /** Issues a code for a follower, as the public account does. */
  codeFor(openId: string, code?: string): string
  /** Codes that were looked up. */
  readonly requested: readonly string[]
  /** While true, every request fails. */
  isDown: boolean
  stop(): Promise<void>
}

/** Starts one on loopback. Like the real one it accepts a code repeatedly. */
export function startWeChatServer(): WeChatServer {
  const codes = new Map<string, string>()
  const requested: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (standIn.isDown) return new Response('down', { status: 503 })
      if (request.method !== 'GET' || pathname !== '/api/wechat/user') return new Response('none', { status: 404 })
      if (request.headers.get('authorization') !== standIn.token) {
        return Response.json({ success: false, message: '无权进行此操作，token 无效', data: '' })
      }
      const code = searchParams.get('code') ?? ''
      requested.push(code)
      const openId = codes.get(code)
      return Response.json(
        openId === undefined
          ? { success: false, message: '验证码错误或已过期', data: '' }
          : { success: true, message: '', data: openId },
      )
    },
  })
  const standIn: WeChatServer = {
    url: `http://127.0.0.1:${server.port}`,
    token: 'stand-in-token',
    codeFor(openId, code = crypto.randomUUID().slice(0, 6)) {
      codes.set(code, openId)
      return code
    },
    requested,
    isDown: false,
    stop: () => server.stop(true),
  }
  return standIn
}
