const loads = new Map<string, Promise<void>>()

/** Loads a script of another site once. A failure rejects, and the next call tries again. */
export function loadScript(url: string): Promise<void> {
  const known = loads.get(url)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loads.delete(url)
      script.remove()
      reject(new Error(`${url} could not be loaded`))
    })
    document.head.append(script)
  })
  loads.set(url, loading)
  return loading
}
