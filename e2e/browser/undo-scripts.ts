import type { Disposable, Page } from 'playwright-core'

/** Returns a function that removes the scripts and functions added to a page since this call or the last undo. */
export function undoScripts(page: Page): () => Promise<void> {
  const added: Disposable[] = []
  const keep = (one: Disposable) => {
    added.push(one)
    return one
  }
  const addInitScript = page.addInitScript.bind(page)
  const exposeFunction = page.exposeFunction.bind(page)
  page.addInitScript = async (script, arg, options) => keep(await addInitScript(script, arg, options))
  page.exposeFunction = async (name, callback) => keep(await exposeFunction(name, callback))
  return async () => {
    for (const one of added.splice(0)) await one.dispose()
  }
}
