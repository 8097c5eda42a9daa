import { createHash, generateKeyPairSync, sign as signRsa, verify as verifyRsa } from 'node:crypto'

type Parameters = Readonly<Record<string, string>>

/** An order as the service knows it. */
interface KnownOrder {
  readonly form: Parameters
  readonly tradeNumber: string
  isPaid: boolean
  /** What its query says instead of the form. */
  queryOverrides: Parameters
  refunded: readonly Parameters[]
}

const formFields = ['pid', 'type', 'out_trade_no', 'notify_url', 'return_url', 'name', 'money', 'sign', 'sign_type']

/** Starts one on loopback. Its page has a button that pays, reports and leads back. */
export const startEpay = (version: 1 | 2 = 1): EpayService => new EpayService(version)

/** A stand-in for an Epay service, in version 1 or 2 of its protocol. */
export class EpayService {
  readonly merchantId = '1001'
  /** Merchant key of version 1. */
  readonly key = 'k3y'
  /** Keys of version 2, as services show them: base64 without headers. The merchant's, and the platform's public one. */
  readonly privateKey: string
  readonly platformKey: string
  /** The paths of the requests. */
  readonly queries: string[] = []
  /** Called before a query of an order or a refund is answered. */
  onQuery: (() => void) | null = null
  /** While `missing` it has no calls for queries and refunds, while `down` it fails, while `html` it shows a page instead. */
  state: 'up' | 'missing' | 'down' | 'html' = 'up'
  /** How it responds to refunds. */
  refunds: 'done' | 'refused' | 'silent' = 'done'
  readonly #orders = new Map<string, KnownOrder>()
  readonly #keys = rsaKeys()
  readonly #server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#respond(request) })

  constructor(readonly version: 1 | 2) {
    this.privateKey = this.#keys.merchant.privateText
    this.platformKey = this.#keys.platform.publicText
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  get orders(): ReadonlyMap<string, KnownOrder> {
    return this.#orders
  }

  /**
   * Takes a form as a browser posts it.
   * @throws Error when the signature is wrong or a field is missing.
   */
  open(form: Parameters): void {
    const missing = formFields.find((name) => !form[name])
    if (missing !== undefined) throw new Error(`${missing} is missing`)
    if (!this.#isSignedByMerchant(form) || form['pid'] !== this.merchantId) throw new Error('the signature is wrong')
    if (!/^\d+\.\d\d$/.test(form['money'] ?? '')) throw new Error('the money is wrong')
    const number = form['out_trade_no'] ?? ''
    if (this.#orders.has(number)) return
    this.#orders.set(number, { form, tradeNumber: `E${number}`, isPaid: false, queryOverrides: {}, refunded: [] })
  }

  /** Takes the payer's money. */
  pay(number: string): void {
    this.#order(number).isPaid = true
  }

  /** What it reports of an order, signed; `changes` are signed as well. */
  notification(number: string, changes: Parameters = {}): URLSearchParams {
    const { form, tradeNumber } = this.#order(number)
    const { type = '', name = '', money = '', out_trade_no = '' } = form
    const reported = { pid: this.merchantId, trade_no: tradeNumber, out_trade_no, type, name, money }
    return new URLSearchParams(this.addSignature({ ...reported, trade_status: 'TRADE_SUCCESS', ...changes }))
  }

  addSignature(parameters: Parameters): Parameters {
    return this.version === 1
      ? { ...parameters, sign: md5(parameters, this.key), sign_type: 'MD5' }
      : { ...parameters, sign: rsa(parameters, this.#keys.platform.privateKey), sign_type: 'RSA' }
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const sent = Object.fromEntries(
      request.method === 'POST' ? new URLSearchParams(await request.text()) : searchParams,
    )
    this.queries.push(pathname)
    if (pathname === '/submit.php' || pathname === '/api/pay/submit') return this.#openPage(sent)
    if (pathname === '/confirm') return this.#confirm(sent['order'] ?? '')
    this.onQuery?.()
    if (this.state === 'missing') return new Response('not found', { status: 404 })
    if (this.state === 'down') return new Response('down', { status: 502 })
    if (this.state === 'html') return new Response('<html>home</html>', { headers: { 'Content-Type': 'text/html' } })
    if (this.version === 1 && pathname === '/api.php')
      return this.#callV1({ ...Object.fromEntries(searchParams), ...sent })
    if (this.version === 2 && pathname.startsWith('/api/pay/')) return this.#callV2(pathname, sent)
    return new Response('not found', { status: 404 })
  }

  #openPage(form: Parameters): Response {
    try {
      this.open(form)
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

  async #confirm(number: string): Promise<Response> {
    const { form } = this.#order(number)
    this.pay(number)
    const report = this.notification(number).toString()
    await fetch(`${form['notify_url'] ?? ''}?${report}`)
    return new Response(null, { status: 303, headers: { Location: `${form['return_url'] ?? ''}?${report}` } })
  }

  #callV1(sent: Parameters): Response {
    if (sent['pid'] !== this.merchantId || sent['key'] !== this.key) return Response.json({ code: -1, msg: 'key' })
    return sent['act'] === 'refund' ? this.#refund(sent, 1) : this.#query(sent, 1)
  }

  #callV2(pathname: string, sent: Parameters): Response {
    if (!this.#isSignedByMerchant(sent)) return Response.json({ code: -1, msg: 'sign' })
    return pathname.endsWith('/refund') ? this.#refund(sent, 0) : this.#query(sent, 0)
  }

  #query(sent: Parameters, done: number): Response {
    const known = this.#orders.get(sent['out_trade_no'] ?? '')
    if (!known) return Response.json({ code: -1, msg: 'order' })
    const { money = '', type = '', name = '', out_trade_no = '' } = known.form
    return this.#success(done, {
      pid: this.merchantId,
      trade_no: known.tradeNumber,
      out_trade_no,
      money,
      type,
      name,
      status: known.isPaid ? '1' : '0',
      ...known.queryOverrides,
    })
  }

  #refund(sent: Parameters, done: number): Response {
    const { trade_no: tradeNumber, out_trade_no: number } = sent
    const known = [...this.#orders.values()].find(
      ({ form, tradeNumber: own }) => own === tradeNumber || form['out_trade_no'] === number,
    )
    if (this.refunds === 'refused' || !known?.isPaid) return Response.json({ code: -1, msg: '余额不足' })
    // In version 2 a number is refunded once.
    const isKnown =
      this.version === 2 && known.refunded.some((refund) => refund['out_refund_no'] === sent['out_refund_no'])
    if (!isKnown) known.refunded = [...known.refunded, sent]
    if (this.refunds === 'silent') return new Response('down', { status: 502 })
    return this.#success(done, { msg: 'ok', money: sent['money'] ?? '' })
  }

  #success(code: number, members: Parameters): Response {
    return Response.json(
      this.version === 1 ? { code, ...members } : this.addSignature({ ...members, code: String(code), timestamp: '1' }),
    )
  }

  #isSignedByMerchant(sent: Parameters): boolean {
    return this.version === 1 ? sent['sign'] === md5(sent, this.key) : isSigned(sent, this.#keys.merchant.publicKey)
  }

  #order(number: string): KnownOrder {
    const known = this.#orders.get(number)
    if (!known) throw new Error(`No order ${number}`)
    return known
  }
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
