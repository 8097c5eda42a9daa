import { createHash, generateKeyPairSync, sign as signRsa, verify as verifyRsa } from 'node:crypto'

type Parameters = Readonly<Record<string, string>>

/** An order as the service knows it. */
interface KnownOrder {
  readonly form: Parameters
  readonly tradeNumber: string
  isPaid: boolean
  /** What its query says instead of the form. */
  answered: Parameters
  refunded: readonly Parameters[]
}

/** A stand-in for an Epay service, in version 1 or 2 of its protocol. */
export interface EpayService {
  readonly url: string
  readonly version: 1 | 2
  readonly merchantId: string
  /** Merchant key of version 1. */
  readonly key: string
  /** Keys of version 2, as services show them: base64 without headers. The merchant's, and the platform's public one. */
  readonly privateKey: string
  readonly platformKey: string
  readonly orders: ReadonlyMap<string, KnownOrder>
  /** What was asked, by path. */
  readonly queries: string[]
  /** Called before a query of an order or a refund is answered. */
  onQuery: (() => void) | null
  /** While `missing` it has no calls for queries and refunds, while `down` it fails, while `html` it shows a page instead. */
  state: 'up' | 'missing' | 'down' | 'html'
  /** What it says to refunds. */
  refunds: 'done' | 'refused' | 'silent'
  /**
   * Takes a form as a browser posts it.
   * @throws Error when the signature is wrong or a field is missing.
   */
  open(form: Parameters): void
  /** Takes the payer's money. */
  pay(number: string): void
  /** What it reports of an order, signed; `changes` are signed as well. */
  notification(number: string, changes?: Parameters): URLSearchParams
  signed(parameters: Parameters): Parameters
  stop(): Promise<void>
}

const formFields = ['pid', 'type', 'out_trade_no', 'notify_url', 'return_url', 'name', 'money', 'sign', 'sign_type']

/** Starts one on loopback. Its page has a button that pays, reports and leads back. */
export function startEpay(version: 1 | 2 = 1): EpayService {
  const orders = new Map<string, KnownOrder>()
  const keys = rsaKeys()
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => answer(request) })

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const sent = Object.fromEntries(
      request.method === 'POST' ? new URLSearchParams(await request.text()) : searchParams,
    )
    service.queries.push(pathname)
    if (pathname === '/submit.php' || pathname === '/api/pay/submit') return openPage(sent)
    if (pathname === '/confirm') return confirm(sent['order'] ?? '')
    service.onQuery?.()
    if (service.state === 'missing') return new Response('not found', { status: 404 })
    if (service.state === 'down') return new Response('down', { status: 502 })
    if (service.state === 'html') return new Response('<html>home</html>', { headers: { 'Content-Type': 'text/html' } })
    if (version === 1 && pathname === '/api.php') return callV1({ ...Object.fromEntries(searchParams), ...sent })
    if (version === 2 && pathname.startsWith('/api/pay/')) return callV2(pathname, sent)
    return new Response('not found', { status: 404 })
  }

  function openPage(form: Parameters): Response {
    try {
      service.open(form)
    } catch (error) {
      return new Response(String(error), { status: 400 })
    }
    const number = form['out_trade_no'] ?? ''
    return new Response(
      `<!doctype html><title>Pay</title><h1>${form['money']}</h1>
      <form method="post" action="/confirm"><input type="hidden" name="order" value="${number}"><button>Pay</button></form>`,
      { headers: { 'Content-Type': 'text/html; charset=utf-8' } },
    )
  }

  async function confirm(number: string): Promise<Response> {
    const known = orderOf(number)
    service.pay(number)
    const report = service.notification(number).toString()
    await fetch(`${known.form['notify_url'] ?? ''}?${report}`)
    return new Response(null, { status: 303, headers: { Location: `${known.form['return_url'] ?? ''}?${report}` } })
  }

  function callV1(sent: Parameters): Response {
    if (sent['pid'] !== service.merchantId || sent['key'] !== service.key)
      return Response.json({ code: -1, msg: 'key' })
    return sent['act'] === 'refund' ? refund(sent, 1) : query(sent, 1)
  }

  function callV2(pathname: string, sent: Parameters): Response {
    if (!isSigned(sent, keys.merchant.publicKey)) return Response.json({ code: -1, msg: 'sign' })
    return pathname.endsWith('/refund') ? refund(sent, 0) : query(sent, 0)
  }

  function query(sent: Parameters, done: number): Response {
    const known = orders.get(sent['out_trade_no'] ?? '')
    if (!known) return Response.json({ code: -1, msg: 'order' })
    const { money = '', type = '', name = '', out_trade_no = '' } = known.form
    return said(done, {
      pid: service.merchantId,
      trade_no: known.tradeNumber,
      out_trade_no,
      money,
      type,
      name,
      status: known.isPaid ? '1' : '0',
      ...known.answered,
    })
  }

  function refund(sent: Parameters, done: number): Response {
    const { trade_no: tradeNumber, out_trade_no: number } = sent
    const known = [...orders.values()].find(
      ({ form, tradeNumber: own }) => own === tradeNumber || form['out_trade_no'] === number,
    )
    if (service.refunds === 'refused' || !known?.isPaid) return Response.json({ code: -1, msg: '余额不足' })
    // In version 2 a number is refunded once.
    const isKnown = version === 2 && known.refunded.some((made) => made['out_refund_no'] === sent['out_refund_no'])
    if (!isKnown) known.refunded = [...known.refunded, sent]
    if (service.refunds === 'silent') return new Response('down', { status: 502 })
    return said(done, { msg: 'ok', money: sent['money'] ?? '' })
  }

  const said = (code: number, members: Parameters): Response =>
    Response.json(
      version === 1 ? { code, ...members } : service.signed({ ...members, code: String(code), timestamp: '1' }),
    )

  function orderOf(number: string): KnownOrder {
    const known = orders.get(number)
    if (!known) throw new Error(`No order ${number}`)
    return known
  }

  const service: EpayService = {
    url: `http://127.0.0.1:${server.port}`,
    version,
    merchantId: '1001',
    key: 'k3y',
    privateKey: keys.merchant.privateText,
    platformKey: keys.platform.publicText,
    orders,
    queries: [],
    onQuery: null,
    state: 'up',
    refunds: 'done',
    open(form) {
      const missing = formFields.find((name) => !form[name])
      if (missing !== undefined) throw new Error(`${missing} is missing`)
      const isRight = version === 1 ? form['sign'] === md5(form, service.key) : isSigned(form, keys.merchant.publicKey)
      if (!isRight || form['pid'] !== service.merchantId) throw new Error('the signature is wrong')
      if (!/^\d+\.\d\d$/.test(form['money'] ?? '')) throw new Error('the money is wrong')
      const number = form['out_trade_no'] ?? ''
      if (orders.has(number)) return
      orders.set(number, { form, tradeNumber: `E${number}`, isPaid: false, answered: {}, refunded: [] })
    },
    pay(number) {
      orderOf(number).isPaid = true
    },
    notification(number, changes = {}) {
      const { form, tradeNumber } = orderOf(number)
      const { type = '', name = '', money = '', out_trade_no = '' } = form
      const told = { pid: service.merchantId, trade_no: tradeNumber, out_trade_no, type, name, money }
      return new URLSearchParams(service.signed({ ...told, trade_status: 'TRADE_SUCCESS', ...changes }))
    },
    signed: (parameters) =>
      version === 1
        ? { ...parameters, sign: md5(parameters, service.key), sign_type: 'MD5' }
        : { ...parameters, sign: rsa(parameters, keys.platform.privateKey), sign_type: 'RSA' },
    stop: () => server.stop(true),
  }
  return service
}

const textOf = (parameters: Parameters): string =>
  Object.keys(parameters)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && parameters[name] !== '')
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')

const md5 = (parameters: Parameters, key: string): string =>
  createHash('md5')
    .update(textOf(parameters) + key)
    .digest('hex')

type Keys = ReturnType<typeof rsaPair>

const rsa = (parameters: Parameters, key: Keys['privateKey']): string =>
  signRsa('sha256', Buffer.from(textOf(parameters)), key).toString('base64')

const isSigned = (parameters: Parameters, key: Keys['publicKey']): boolean =>
  verifyRsa('sha256', Buffer.from(textOf(parameters)), key, Buffer.from(parameters['sign'] ?? '', 'base64'))

function rsaPair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateText = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const publicText = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  return { privateKey, publicKey, privateText, publicText }
}

const rsaKeys = () => ({ merchant: rsaPair(), platform: rsaPair() })
