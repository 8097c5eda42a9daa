/** An id nobody guesses, also where the page is not served securely. It starts with a letter: an address may take others for numbers. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return `c${Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('')}`
}
