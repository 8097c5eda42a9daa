import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { builtFiles, tooHeavy, weigh } from '../../scripts/console/budget'
import { describeInBrowser } from './describe-in-browser'
import { requestsOf } from './requests'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const built = join(import.meta.dir, '../../console/dist')

describeInBrowser('first load', () => {
  let young: Site

  beforeAll(async () => {
    young = await aSite()
  }, siteTimeoutMs)
  afterAll(() => young[Symbol.asyncDispose]())

  test.each(['/login', '/app/tokens'])('the first load for %s stays within its budget', async (path) => {
    const session = path === '/login' ? undefined : await young.signIn('user')
    await using visitor = await aVisitor(young.url, { session })
    await visitor.page.goto(path, { waitUntil: 'networkidle' })
    const names = (await requestsOf(visitor.page)).map((path) => path.slice(1))
    const weight = weigh(
      builtFiles(built),
      names.filter((name) => name.startsWith('assets/')),
    )
    expect(weight.script).toBeGreaterThan(50_000)
    expect(tooHeavy(path, weight)).toBeNull()
  })
})
