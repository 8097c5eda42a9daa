/** Wait for what happens beside the answer: look until there is a value. @throws Error when there never is. */
export async function eventually<Value>(look: () => Promise<Value | null | undefined>): Promise<Value> {
  for (let turn = 0; turn < 2000; turn += 1) {
    const value = await look()
    if (value !== null && value !== undefined) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('It did not happen')
}
