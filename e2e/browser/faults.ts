import type { Page, Response } from 'playwright-core'

import { restingPath } from './resting-path'

/** What no page may do: script errors, console errors, violations of the content security policy, failed requests. */
export interface FaultWatch {
  readonly faults: readonly string[]
}

/** Requests cancelled by a navigation are not faults. */
const aborted = 'net::ERR_ABORTED'

/** Chromium's console message for a failed request, which does not say which one. */
const repeated = 'Failed to load resource'

/** Collects the faults of a page from now on, except those that are `expected`. */
export function watchFaults(page: Page, expected: readonly RegExp[] = []): FaultWatch {
  const faults: string[] = []
  const report = (fault: string) => {
    if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault)
  }
  page.on('pageerror', (error) => report(`script: ${error.stack || error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith(repeated)) report(`console: ${text}`)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    if (why !== aborted && !isResting(request.url())) report(`request: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !isResting(response.url())) report(`request: ${statusLine(response)}`)
  })
  return { faults }
}

/** The visit has ended. */
const isResting = (url: string) => url.endsWith(restingPath)

const statusLine = (response: Response) => `${response.request().method()} ${response.url()} ${response.status()}`
