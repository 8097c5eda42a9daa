import { expect, test } from 'bun:test'

import { formText } from './stripe-api'

test('nested objects and lists become names in brackets', () => {
  const text = formText({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', product_data: { name: 'A & B = 50 %' } } }],
    expand: ['payment_intent', 'customer'],
    adaptive_pricing: { enabled: false },
    customer_email: undefined,
  })
  expect([...new URLSearchParams(text)]).toEqual([
    ['mode', 'payment'],
    ['line_items[0][quantity]', '1'],
    ['line_items[0][price_data][currency]', 'usd'],
    ['line_items[0][price_data][product_data][name]', 'A & B = 50 %'],
    ['expand[0]', 'payment_intent'],
    ['expand[1]', 'customer'],
    ['adaptive_pricing[enabled]', 'false'],
  ])
})

test('a value cannot add a field of its own', () => {
  expect([...new URLSearchParams(formText({ metadata: { order: 'x&amount=1' } }))]).toEqual([
    ['metadata[order]', 'x&amount=1'],
  ])
})
