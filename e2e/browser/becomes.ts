import { expect } from 'bun:test'

const timeoutMs = 15_000
const pauseMs = 50

/**
 * Waits until a reading of a page, such as a count or a text, equals a value or matcher: a page shows its parts one after the other.
 * @throws what `expect` says of the last reading when it never does.
 */
export async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    try {
      return expect(value).toEqual(expected)
    } catch (error) {
      if (performance.now() >= deadline) throw error
    }
    await Bun.sleep(pauseMs)
  }
}
