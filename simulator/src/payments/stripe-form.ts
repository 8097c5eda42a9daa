/** What is wrong with a request, as Stripe says it. */
export interface StripeFault {
  readonly status: number
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error'
  readonly code?: string
  readonly message: string
  readonly param?: string
}

type Field = readonly [name: RegExp, isValid: (value: string) => boolean]

const isText = (maxLength: number) => (value: string) => value !== '' && value.length <= maxLength
const isAddress = (value: string) => URL.canParse(value) && /^https?:\/\//.test(value)
const isWhole = (value: string) => /^[1-9]\d{0,11}$/.test(value)
const isOneOf =
  (...values: readonly string[]) =>
  (value: string) =>
    values.includes(value)
const metadata = (prefix: string): Field => [
  new RegExp(`^${prefix.replaceAll(/[[\]]/g, String.raw`\$&`)}\\[[^\\[\\]]{1,40}\\]$`),
  isText(500),
]

const lineItem = String.raw`^line_items\[0\]`
/** https://docs.stripe.com/api/checkout/sessions/create, as far as payments in one go use it. */
const sessionFields: readonly Field[] = [
  [/^mode$/, isOneOf('payment')],
  [/^client_reference_id$/, isText(200)],
  metadata('metadata'),
  metadata('payment_intent_data[metadata]'),
  [/^payment_intent_data\[description\]$/, isText(1000)],
  [new RegExp(String.raw`${lineItem}\[quantity\]$`), isWhole],
  [new RegExp(String.raw`${lineItem}\[price_data\]\[currency\]$`), (value) => /^[a-z]{3}$/.test(value)],
  [new RegExp(String.raw`${lineItem}\[price_data\]\[unit_amount\]$`), isWhole],
  [new RegExp(String.raw`${lineItem}\[price_data\]\[product_data\]\[name\]$`), isText(250)],
  [/^adaptive_pricing\[enabled\]$/, isOneOf('true', 'false')],
  [/^payment_method_options\[card\]\[request_three_d_secure\]$/, isOneOf('any', 'automatic', 'challenge')],
  [/^expires_at$/, isWhole],
  [/^customer_email$/, (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)],
  [/^success_url$/, isAddress],
  [/^cancel_url$/, isAddress],
  [/^expand\[\d\]$/, isText(100)],
]
const neededForSession = [
  'mode',
  'success_url',
  'line_items[0][quantity]',
  'line_items[0][price_data][currency]',
  'line_items[0][price_data][unit_amount]',
  'line_items[0][price_data][product_data][name]',
]

/** https://docs.stripe.com/api/refunds/create */
const refundFields: readonly Field[] = [
  [/^payment_intent$/, isText(255)],
  [/^amount$/, isWhole],
  [/^reason$/, isOneOf('duplicate', 'fraudulent', 'requested_by_customer')],
  metadata('metadata'),
]

const refusal = (message: string, code: string, param?: string): StripeFault => ({
  status: 400,
  type: 'invalid_request_error',
  code,
  message,
  ...(param !== undefined && { param }),
})

function faultOfFields(form: URLSearchParams, fields: readonly Field[], needed: readonly string[]): StripeFault | null {
  const missing = needed.find((name) => !form.has(name))
  if (missing !== undefined) return refusal(`Missing required param: ${missing}.`, 'parameter_missing', missing)
  for (const [name, value] of form) {
    const field = fields.find(([pattern]) => pattern.test(name))
    if (!field) return refusal(`Received unknown parameter: ${name}`, 'parameter_unknown', name)
    if (form.getAll(name).length > 1 || !field[1](value))
      return refusal(`Invalid ${name}: ${value}`, 'parameter_invalid', name)
  }
  return null
}

/** The least that can be charged is worth about half a dollar. */
const minAmounts: Readonly<Record<string, number>> = { usd: 50, eur: 50, cny: 400, jpy: 50, kwd: 150 }
const stepOf = (currency: string) => (currency === 'kwd' ? 10 : currency === 'isk' ? 100 : 1)
const halfHour = 1800
const day = 86_400

/** Returns what Stripe would object to in a form that opens a payment page; null: nothing. */
export function faultOfSession(form: URLSearchParams, nowSeconds: number): StripeFault | null {
  const fault = faultOfFields(form, sessionFields, neededForSession)
  if (fault) return fault
  const currency = form.get('line_items[0][price_data][currency]') ?? ''
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
  if (amount < (minAmounts[currency] ?? 1)) {
    return refusal('The total amount due must add up to at least $0.50 usd', 'amount_too_small')
  }
  if (amount % stepOf(currency) !== 0) return refusal('Invalid amount.', 'invalid_charge_amount_no_decimal_compatible')
  const ahead = Number(form.get('expires_at') ?? nowSeconds + day) - nowSeconds
  return ahead >= halfHour && ahead <= day
    ? null
    : refusal('expires_at must be between 30 minutes and 24 hours from now', 'parameter_invalid', 'expires_at')
}

/** The same for a form that refunds. */
export const faultOfRefund = (form: URLSearchParams): StripeFault | null =>
  faultOfFields(form, refundFields, ['payment_intent'])

/** Returns the values of `prefix[name]` by name. */
export function valuesWithin(form: URLSearchParams, prefix: string): Record<string, string> {
  const entries = [...form].filter(([name]) => name.startsWith(`${prefix}[`) && name.endsWith(']'))
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))
}
