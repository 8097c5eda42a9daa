/** Whether the console could be loaded now. */
export async function isServed(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    return (await fetch(new URL('/', location.href), { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}
