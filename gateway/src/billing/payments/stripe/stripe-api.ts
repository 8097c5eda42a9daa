import type { OptionValues } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../../../context'
import { parsedJson } from '../../../platform/text/parsed-json'
import { readBounded } from '@tollgate/http-client'

/** What the calls need of the context. */
export interface StripeDeps extends Pick<Context, 'fetch' | 'config'> {
  readonly catalog: { readonly current: { readonly options: Pick<OptionValues, 'StripeApiSecret'> } }
}

/** Responses have the shape of this version whatever the account's own is. https://docs.stripe.com/api/versioning */
const apiVersion = '2025-03-31.basil'
const timeoutMs = 20_000
const maxResponseBytes = 1024 * 1024

/** Stripe refused a call (`status` is its HTTP status), or could not be reached (null). */
export class StripeError extends Error {
  override readonly name = 'StripeError'
  constructor(
    readonly status: number | null,
    /** Stripe's own code, such as `resource_missing`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`Stripe: ${code}${status === null ? '' : ` (HTTP ${status})`}`, options)
  }
}

/** An id of Stripe's, which may become part of a path. */
export const Id = z.string().regex(/^\w{1,255}$/)
const Metadata = z.record(z.string(), z.string()).nullish()

const PaymentIntent = z.object({ id: Id, status: z.string(), metadata: Metadata })

/** https://docs.stripe.com/api/checkout/sessions/object */
const Session = z.object({
  id: Id,
  url: z.string().nullish(),
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  mode: z.string(),
  livemode: z.boolean(),
  amount_total: z.number().int().nullable(),
  currency: z.string().nullable(),
  client_reference_id: z.string().nullish(),
  metadata: Metadata,
  /** Expanded where requested; null until the payer began to pay. */
  payment_intent: z.union([Id, PaymentIntent]).nullish(),
})
export type StripeSession = z.output<typeof Session>

/** https://docs.stripe.com/api/charges/object: its metadata was copied from that of the payment. */
const Charge = z.object({
  id: Id,
  livemode: z.boolean(),
  amount: z.number().int(),
  currency: z.string(),
  payment_intent: Id.nullish(),
  metadata: Metadata,
})
export type StripeCharge = z.output<typeof Charge>

/** https://docs.stripe.com/api/disputes/list */
const Disputes = z.object({
  data: z.array(z.object({ id: Id, amount: z.number().int(), currency: z.string(), status: z.string() })),
})
export type StripeDisputes = z.output<typeof Disputes>['data']

/** https://docs.stripe.com/api/refunds/object */
const Refund = z.object({
  id: Id,
  amount: z.number().int(),
  currency: z.string(),
  status: z.string().nullable(),
  metadata: Metadata,
})
export type StripeRefund = z.output<typeof Refund>

/** https://docs.stripe.com/api/refunds/list */
const Refunds = z.object({ data: z.array(Refund) })
export type StripeRefunds = readonly StripeRefund[]

const Refusal = z.object({ error: z.object({ type: z.string(), code: z.string().optional() }) })

interface NewSession {
  /** Our number. */
  readonly order: string
  readonly minorUnits: number
  /** ISO 4217. */
  readonly currency: string
  /** The item, as the payer sees it. */
  readonly name: string
  readonly email: string | null
  /** Unix seconds. */
  readonly expiresAt: number
  readonly successUrl: string
  readonly cancelUrl: string
}

/** Opens a payment page. The same order gets the same page when it is requested again. @throws StripeError */
export function createSession(deps: StripeDeps, request: NewSession): Promise<StripeSession> {
  const { order, currency } = request
  const price = {
    currency: currency.toLowerCase(),
    unit_amount: request.minorUnits,
    product_data: { name: request.name },
  }
  const form = {
    mode: 'payment',
    client_reference_id: order,
    metadata: { order },
    payment_intent_data: { metadata: { order }, description: request.name },
    line_items: [{ quantity: 1, price_data: price }],
    // The order's currency is charged, also where the account would let payers choose another one.
    adaptive_pricing: { enabled: false },
    // Deters attempts with stolen cards.
    payment_method_options: { card: { request_three_d_secure: 'any' } },
    expires_at: request.expiresAt,
    customer_email: request.email ?? undefined,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  }
  return post(deps, '/v1/checkout/sessions', form, order, Session)
}

/** Resolves with a payment page and its payment. @throws StripeError */
export const readSession = (deps: StripeDeps, id: string): Promise<StripeSession> =>
  get(deps, `/v1/checkout/sessions/${Id.parse(id)}?${formText({ expand: ['payment_intent'] })}`, Session)

/** @throws StripeError */
export const readCharge = (deps: StripeDeps, id: string): Promise<StripeCharge> =>
  get(deps, `/v1/charges/${Id.parse(id)}`, Charge)

/** Resolves with every dispute of a charge, latest first. @throws StripeError */
export async function readDisputes(deps: StripeDeps, charge: string): Promise<StripeDisputes> {
  const { data } = await get(deps, `/v1/disputes?${formText({ charge, limit: 100 })}`, Disputes)
  return data
}

/** Resolves with every refund of a charge, also those that failed. @throws StripeError */
export async function readRefunds(deps: StripeDeps, charge: string): Promise<StripeRefunds> {
  const { data } = await get(deps, `/v1/refunds?${formText({ charge, limit: 100 })}`, Refunds)
  return data
}

/** The same of a payment. @throws StripeError */
export async function readRefundsOf(deps: StripeDeps, payment: string): Promise<StripeRefunds> {
  const { data } = await get(deps, `/v1/refunds?${formText({ payment_intent: payment, limit: 100 })}`, Refunds)
  return data
}

interface NewRefund {
  readonly order: string
  readonly paymentIntent: string
  readonly minorUnits: number
  /** Distinguishes this refund from others of the order; the same one is made once. */
  readonly key: string
}

/** @throws StripeError */
export const createRefund = (deps: StripeDeps, request: NewRefund): Promise<StripeRefund> =>
  post(
    deps,
    '/v1/refunds',
    {
      payment_intent: request.paymentIntent,
      amount: request.minorUnits,
      reason: 'requested_by_customer',
      metadata: { order: request.order, refund: request.key },
    },
    request.key,
    Refund,
  )

const get = <Schema extends z.ZodType>(deps: StripeDeps, path: string, schema: Schema) =>
  callApi(deps, path, { method: 'GET' }, schema)

const post = <Schema extends z.ZodType>(
  deps: StripeDeps,
  path: string,
  form: Readonly<Record<string, FormValue>>,
  idempotencyKey: string,
  schema: Schema,
) => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': idempotencyKey }
  return callApi(deps, path, { method: 'POST', headers, body: formText(form) }, schema)
}

interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * The address is fixed, so it does not go through the outbound worker for addresses that people enter, which would see the key. Redirects
 * are not followed, as they would forward the key to another host.
 */
async function callApi<Schema extends z.ZodType>(
  { fetch: send, catalog, config }: StripeDeps,
  path: string,
  { method, headers, body }: ApiRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { StripeApiSecret: secret } = catalog.current.options
  if (secret === '') throw new StripeError(null, 'no_api_key')
  const response = await send(config.serviceUrls.stripe + path, {
    method,
    headers: { Authorization: `Bearer ${secret}`, 'Stripe-Version': apiVersion, ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new StripeError(null, 'unreachable', { cause })
  })
  const responseBody = await jsonOf(response)
  if (response.status !== 200) {
    const { error } = Refusal.safeParse(responseBody).data ?? {}
    throw new StripeError(response.status, error?.code ?? error?.type ?? 'unknown')
  }
  const read = schema.safeParse(responseBody)
  if (!read.success) throw new StripeError(response.status, 'unexpected_answer', { cause: read.error })
  return read.data
}

/** Resolves with the JSON of a response; undefined: it is not JSON, or far longer than any of Stripe's. */
const jsonOf = (response: Response): Promise<unknown> =>
  readBounded(response, maxResponseBytes).then(
    (body) => parsedJson(body.toString('utf8')),
    () => undefined,
  )

/** What a field of a form may contain. */
type FormValue = string | number | boolean | undefined | readonly FormValue[] | { readonly [name: string]: FormValue }

/**
 * Returns a form body with nested names in brackets: `line_items[0][quantity]=1`. What is undefined is left out.
 * https://docs.stripe.com/api/metadata shows the form.
 */
export function formText(fields: Readonly<Record<string, FormValue>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) append(form, name, value)
  return form.toString()
}

function append(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === undefined) return
  if (typeof value !== 'object') form.append(name, String(value))
  else for (const [key, inner] of Object.entries(value)) append(form, `${name}[${key}]`, inner)
}
