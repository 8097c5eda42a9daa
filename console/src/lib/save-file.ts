/** Hand a file to the browser for keeping. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The name that an answer gives its file. */
export const savedName = (response: Response, otherwise: string): string =>
  /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise
