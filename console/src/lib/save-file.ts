/** Hand a file to the browser for keeping. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  saveLink(url, name)
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The name that an answer gives its file. */
export const savedName = (response: Response, otherwise: string): string =>
  /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise

/** Has the browser save what an address of this site answers with, under the name that the answer gives unless one is given. */
export function saveLink(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
