import type { Page, Response } from 'playwright-core'

/** What no page may do: scripts that fail, errors on the console, broken rules of the content policy, failed requests. */
export interface FaultWatch {
  readonly faults: readonly string[]
}

/** Requests that a page gives up because it goes elsewhere are no faults. */
const givenUp = 'net::ERR_ABORTED'

/** The console repeats failed requests without saying which. */
const repeated = 'Failed to load resource'

/** Collect the faults of a page from now on, except those that are `expected`. */
export function watchFaults(page: Page, expected: readonly RegExp[] = []): FaultWatch {
  const faults: string[] = []
  const report = (fault: string) => {
    if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault)
  }
  page.on('pageerror', (error) => report(`script: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith(repeated)) report(`console: ${text}`)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    if (why !== givenUp) report(`request: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) report(`request: ${statusLine(response)}`)
  })
  return { faults }
}

const statusLine = (response: Response) => `${response.request().method()} ${response.url()} ${response.status()}`
