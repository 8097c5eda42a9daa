import { afterAll, beforeAll, expect, test } from 'bun:test'

import { redemptionRoutes } from '@tollgate/contract'

import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

describeInBrowser('redemption codes', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('redemption codes are created, copied, redeemed, disabled and deleted by name', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/coupons')
    await page.getByRole('button', { name: 'Create codes' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create codes' })
    await drawer.getByRole('button', { name: 'Create codes' }).click()
    await drawer.getByText('Enter a name of 1 to 20 characters.').waitFor()
    await drawer.getByRole('textbox', { name: 'Name' }).fill('spring')
    await drawer.getByRole('button', { name: '$10', exact: true }).click()
    await drawer.getByRole('textbox', { name: 'Number of codes' }).fill('2')
    await drawer.getByRole('switch', { name: 'Gift code' }).click()
    await drawer.getByRole('textbox', { name: 'Number of uses' }).fill('3')
    await drawer.getByRole('button', { name: 'Create codes' }).click()
    const createdDialog = page.getByRole('dialog', { name: '2 codes created' })
    const file = createdDialog.getByRole('link', { name: 'Download as text' })
    const [saved] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(saved.suggestedFilename()).toBe('spring.txt')
    const keys = (await Bun.file(await saved.path()).text()).trim().split('\n')
    expect(keys).toHaveLength(2)
    const [key = ''] = keys
    await createdDialog.getByRole('button', { name: 'Close', exact: true }).last().click()

    const redeemed = await site.console.call(redemptionRoutes.redeemCode, { body: { key } })
    expect(redeemed).toEqual({ quota: 5_000_000, is_gift: true, ends_at: 0, plan: '' })
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: '1 of 3' })
    await row.getByRole('button', { name: 'More actions for “spring”' }).click()
    await page.getByRole('menuitem', { name: 'Who redeemed it' }).click()
    const uses = page.getByRole('complementary')
    await uses.getByText('root').waitFor()
    // The open panel leaves no room for the column of uses.
    await uses.getByRole('button', { name: 'Close' }).click()
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()

    await page.getByRole('button', { name: 'Clean up' }).click()
    await page.getByRole('menuitem', { name: 'Delete by name' }).click()
    const byName = page.getByRole('dialog', { name: 'Delete by name' })
    await byName.getByRole('textbox', { name: 'Name' }).fill('spring')
    await byName.getByRole('button', { name: 'Count codes' }).click()
    await byName.getByRole('button', { name: 'Delete 2 codes' }).click()
    await page.getByText('No redemption codes yet').waitFor()
  })

  test('redemption codes are redeemed in the wallet, also through a link, and appear in the statement', async () => {
    const [single = '', gift = ''] = await Promise.all(
      [{ name: 'single' }, { name: 'gift', is_gift: true }].map(async (terms) => {
        const [key] = await site.console.call(redemptionRoutes.createRedemptions, {
          body: { ...terms, quota: 500_000 },
        })
        return key
      }),
    )
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    await page.goto('/app/wallet')
    await page.getByRole('button', { name: 'Buy a code' }).click()
    await page.getByText('The super admin has not set a top-up link.').waitFor()
    const card = page.getByRole('region', { name: 'Redeem a code' })
    await card.getByRole('button', { name: 'Redeem' }).click()
    await card.getByText('Enter a redemption code.').waitFor()
    await card.getByRole('textbox', { name: 'Redemption code' }).fill(` ${single} `)
    await card.getByRole('button', { name: 'Redeem' }).click()
    await page.getByText('Redeemed: $1.00').waitFor()
    await card.getByRole('textbox', { name: 'Redemption code' }).fill(single)
    await card.getByRole('button', { name: 'Redeem' }).click()
    await card.getByText('Redeeming failed: this redemption code has already been used.').waitFor()

    await pushPath(page, `/app/wallet?code=${gift}`)
    await card.getByText('Code recognised:').waitFor()
    await card.getByRole('button', { name: 'Redeem' }).click()
    await page.getByText('Gift code redeemed: $1.00').waitFor()
    const statement = page.getByRole('region', { name: 'Statement' })
    await statement.getByRole('row').filter({ hasText: 'Redemption code' }).nth(1).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})
