import { accountRoutes, sessionRoutes, userRoutes } from '@tollgate/contract'

import { Console } from '../../e2e/console'
import { startGateway, type GatewayProcess } from '../../e2e/gateway'
import type { Call } from './call'

/** As the filler made them. */
export const root = { username: 'root', password: 'root-password' }
/** A tenth of all calls are this user's. */
const heavy = { id: 2, username: 'user2', password: 'user-password' }
/** An administrator. */
const auditor = { id: 3, username: 'user3', password: 'user-password' }

/** A gateway on filled data, and who asks it. */
export interface Site {
  readonly gateway: GatewayProcess
  readonly admin: Console
  /** Milliseconds from the start of the process until it was ready. */
  readonly startMs: number
  /** PostgreSQL URL; empty for SQLite in the folder. */
  readonly databaseUrl: string
  /** Make a call and read its answer. Answers milliseconds. */
  time(call: Call): Promise<number>
}

export interface SiteOptions {
  readonly dataDir: string
  readonly databaseUrl: string
}

/** Start the gateway on data that the filler made. */
export async function openSite({ dataDir, databaseUrl }: SiteOptions): Promise<Site> {
  const startedAt = performance.now()
  // each call names an address of its own, so that no limit of calls slows it down
  const gateway = await startGateway({ dataDir, databaseUrl, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const startMs = performance.now() - startedAt
  const admin = await Console.signIn(gateway.url, root)
  await admin.setOptions({ ReverseProxyEnabled: true })
  const { proof } = await admin.call(accountRoutes.stepUp, { body: { purpose: 'password', password: root.password } })
  for (const { id, password } of [heavy, auditor])
    await admin.call(userRoutes.updateUser, { body: { id, password }, stepUpProof: proof })
  const headers = {
    admin: await signIn(gateway.url, root),
    user: await signIn(gateway.url, heavy),
    auditor: await signIn(gateway.url, auditor),
  }
  let request = 0
  const send = (call: Call) => {
    request += 1
    const query = new URLSearchParams(Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)]))
    const address = `10.${(request >> 16) & 255}.${(request >> 8) & 255}.${request & 255}`
    return fetch(`${gateway.url}${call.path}?${query}`, {
      headers: { ...headers[call.as ?? 'admin'], 'x-forwarded-for': address },
    })
  }
  return { gateway, admin, startMs, databaseUrl, time: (call) => timeOf(call, () => send(call)) }
}

/** Searches are limited by the user. */
async function timeOf(call: Call, send: () => Promise<Response>): Promise<number> {
  for (;;) {
    const startedAt = performance.now()
    const response = await send()
    if (response.status === 429) {
      await response.body?.cancel()
      await Bun.sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
      continue
    }
    await (call.isFile ? firstPart(response) : check(call, response))
    return performance.now() - startedAt
  }
}

async function firstPart(response: Response): Promise<void> {
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
}

async function check(call: Call, response: Response): Promise<void> {
  const text = await response.text()
  if (!text.startsWith('{"success":true')) throw new Error(`${call.name}: ${response.status} ${text.slice(0, 200)}`)
}

async function signIn(url: string, { username, password }: { username: string; password: string }) {
  const { method, path } = sessionRoutes.logIn
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const cookie = response.headers.getSetCookie().map((set) => set.split(';', 1)[0])
  const { data }: { data: { id: number } } = await response.json()
  return { cookie: cookie.join('; '), 'tollgate-user': String(data.id) }
}
