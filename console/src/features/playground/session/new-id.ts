/**
 * Returns an unguessable id, also on pages without a secure context. It starts with a letter, since an address may parse others as numbers.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return `c${Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('')}`
}
