import { afterEach, beforeEach, expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { anEmptySite, siteTimeoutMs, type EmptySite } from './site'
import { aVisitor } from './visitor'

const password = 'correct-horse'

/** Clicks from an empty gateway to a first response; needing more of them means that a step has become harder. */
const maxClicks = 10

let site: EmptySite

const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const checklist = (page: Page) => page.getByRole('region', { name: 'Getting started' })

/** Counts mouse clicks on every page from now on. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('noteClick', () => (clicks += 1))
  await page.addInitScript(() => {
    window.addEventListener('pointerdown', () => (window as unknown as { noteClick(): void }).noteClick(), true)
  })
  return () => clicks
}

async function fillSetup(page: Page, mode?: string): Promise<void> {
  await field(page, 'Administrator username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  if (mode !== undefined) await page.getByRole('radio', { name: mode }).check()
  await button(page, 'Set up').click()
}

const editorOf = (page: Page) => page.getByRole('dialog', { name: 'New channel' })

async function fillChannel(page: Page): Promise<void> {
  const editor = editorOf(page)
  await editor.getByRole('button', { name: 'OpenAI', exact: true }).click()
  await field(editor, 'Name').fill('My upstream')
  await field(editor, 'Base URL').fill(site.simulator.url)
}

/** Takes all models that the vendor offers, which are chosen from the start. */
async function takeModels(page: Page): Promise<void> {
  await button(editorOf(page), 'Fetch models').click()
  const picker = page.getByRole('dialog', { name: 'Choose models' })
  await picker.getByRole('checkbox', { name: 'gpt-4o-mini', exact: true, checked: true }).waitFor()
  await button(picker, 'Apply').click()
}

/** Calls a model with the key of the new token from the same page. */
async function tryKey(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Token “My first” created' })
  await checklist(page).getByText('3 / 4').waitFor()
  await button(dialog, 'Send').click()
  await dialog.getByText(/^Done in/).waitFor()
  await dialog.getByRole('log').getByText('the quick brown fox').waitFor()
}

async function copyKey(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Token “My first” created' })
  await button(dialog, 'Copy key').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  await button(dialog, 'Close').last().click()
}

describeInBrowser('the first hour of a gateway', () => {
  beforeEach(async () => {
    site = await anEmptySite()
  }, siteTimeoutMs)
  afterEach(() => site[Symbol.asyncDispose]())

  test('setup leads from an empty folder to a streamed response step by step', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const clicks = await countClicks(page)
    await page.goto('/')
    await page.waitForURL('**/setup')
    await fillSetup(page)

    await checklist(page).getByText('0 / 4').waitFor()
    await checklist(page).getByRole('link', { name: 'Add a channel' }).click()
    await fillChannel(page)
    await field(editorOf(page), 'Key').fill('sk-upstream')
    await takeModels(page)
    await button(editorOf(page), 'Save').click()
    const created = page.getByRole('dialog', { name: 'Channel created' })
    await button(created, 'Test now').click()
    await created.getByText(/^The test passed in/).waitFor()
    await created.getByRole('link', { name: 'Create a token' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create token' })
    await field(drawer, 'Name').fill('My first')
    await button(drawer, 'Create token').click()
    await tryKey(page)
    expect(clicks()).toBeLessThanOrEqual(maxClicks)
    await copyKey(page)
    await checklist(page).getByText('All set').waitFor()
    await button(checklist(page), 'Hide').click()
    await checklist(page).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Playground' }).first().click()
    await field(page, 'Message').fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('the quick brown fox').waitFor()
    await page.goto('/app/tokens')
    await page.getByRole('row', { name: /My first/ }).waitFor()
    await becomes(() => checklist(page).count(), 0)
  })
})
