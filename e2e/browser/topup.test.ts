import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startEpay, startStripe, type EpayService, type StripeStandIn } from '@tollgate/simulator'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site
let epay: EpayService
let stripe: StripeStandIn

describeInBrowser('online top-up', () => {
  beforeAll(async () => {
    stripe = startStripe()
    site = await aSite({ STRIPE_URL: stripe.url })
    epay = startEpay()
    await site.console.setOptions({ ServerAddress: site.url })
    await site.console.setOptions({ PayAddress: epay.url, EpayId: epay.merchantId, EpayKey: epay.key })
    await site.console.setOptions({ StripeApiSecret: stripe.apiSecret, StripeWebhookSecret: stripe.webhookSecret })
    stripe.webhookUrl = `${site.url}/api/stripe/webhook`
  }, siteTimeoutMs)
  afterAll(async () => {
    await epay.stop()
    await stripe.stop()
    await site[Symbol.asyncDispose]()
  })

  test('a top-up is paid on the page of the payment service and credited, and an operator refunds it', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    const balance = page.getByRole('region', { name: 'Balance' })
    await page.goto('/app/wallet')
    await balance.getByText('$0.00').first().waitFor()
    const topUp = page.getByRole('region', { name: 'Top up' })
    await topUp.getByRole('button', { name: '$10', exact: true }).click()
    await topUp.getByText('CN¥73.00').waitFor()
    await topUp.getByRole('button', { name: 'Top up' }).click()
    await page.getByRole('button', { name: 'Go to payment' }).click()
    await page.getByRole('heading', { name: '73.00' }).waitFor()
    expect(new URL(page.url()).origin).toBe(epay.url)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByRole('heading', { name: 'Top-up complete' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/wallet/topup-success')
    await page.getByRole('link', { name: 'Back to wallet' }).click()
    await balance.getByText('$10.00').waitFor()
    const orders = page.getByRole('region', { name: 'Orders' })
    await orders.getByText('CN¥73.00 · Alipay').waitFor()
    await orders.getByText('Paid', { exact: true }).waitFor()

    await using operator = await aVisitor(site.url, {
      session: await site.signIn('root'),
      // The password is asked for first.
      expected: [/^request: POST .*\/topup\/refund 403$/],
    })
    const desk = operator.page
    await desk.goto('/admin/orders')
    const row = desk.getByRole('row').filter({ hasText: 'customer' })
    await row.getByRole('button', { name: /^More actions for order USR/ }).click()
    await desk.getByRole('menuitem', { name: 'Refund' }).click()
    const refund = desk.getByRole('dialog', { name: /^Refund USR/ })
    await refund.getByRole('checkbox', { name: 'The money was already returned another way' }).check()
    await refund.getByText('$10.00 is taken from the balance of customer').waitFor()
    await refund.getByRole('button', { name: 'Take back quota' }).click()
    await desk.getByLabel(/^(?:Your )?password$/i).fill('root-password')
    await desk.keyboard.press('Enter')
    await desk.getByText('Refunded, and the quota was taken back').waitFor()
    await row.getByText('Refunded', { exact: true }).waitFor()

    await page.reload()
    await balance.getByText('$0.00').first().waitFor()
    await orders.getByText('Refunded', { exact: true }).waitFor()
  })

  test('an abandoned Stripe page is resumed, and a bank debit is credited when its money arrives', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    const balance = page.getByRole('region', { name: 'Balance' })
    const topUp = page.getByRole('region', { name: 'Top up' })
    const orders = page.getByRole('region', { name: 'Orders' })
    const begin = async () => {
      await page.goto('/app/wallet')
      await topUp.getByText('Stripe', { exact: true }).click()
      await topUp.getByRole('button', { name: '$20', exact: true }).click()
      await topUp.getByText('$20.00').waitFor()
      await topUp.getByRole('button', { name: 'Top up' }).click()
      await page.getByRole('button', { name: 'Go to payment' }).click()
      await page.getByRole('heading', { name: 'Pay 2000 USD' }).waitFor()
      expect(new URL(page.url()).origin).toBe(stripe.url)
    }
    await begin()
    await page.getByRole('link', { name: 'Back' }).click()
    await balance.getByText('$0.00').first().waitFor()
    await orders.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('heading', { name: 'Top-up complete' }).waitFor()

    await begin()
    await page.getByRole('button', { name: 'Pay by bank debit' }).click()
    await page.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    const number = new URL(page.url()).searchParams.get('trade_no') ?? ''
    await page.getByRole('link', { name: 'Back to wallet' }).click()
    await balance.getByText('$20.00').first().waitFor()
    await orders.getByText('Processing').waitFor()
    const arrived = stripe.arrive(stripe.pageOf(number).id)
    expect((await stripe.deliver(arrived, `${site.url}/api/stripe/webhook`)).status).toBe(200)
    await page.reload()
    await balance.getByText('$40.00').first().waitFor()
  })
})
