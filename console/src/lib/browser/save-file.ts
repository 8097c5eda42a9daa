/** Saves a file from the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  saveLink(url, name)
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Returns the file name in a response. */
export const savedName = (response: Response, otherwise: string): string =>
  /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise

/** Downloads an address of this site, under the name in the response unless one is given. */
export function saveLink(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
