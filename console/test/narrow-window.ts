import { spyOn } from 'bun:test'

/** The window is at most this wide, and so matches only the query for that width, until it is disposed of. */
export function narrowWindow(pixels: number): Disposable {
  const matching = `(max-width: ${pixels}px)`
  const spy = spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: media === matching, media }) as MediaQueryList,
  )
  return { [Symbol.dispose]: () => spy.mockRestore() }
}

/** The window is a phone's until it is disposed of. */
export const aPhone = (): Disposable => narrowWindow(600)
