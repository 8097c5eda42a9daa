/** The content of files that calls name. */
const content = 'soak file'
/** Beside what the file says, in the text of each call that names one. */
export const fileMark = 'with a file'

/** Uploads a file. Resolves with its id. @throws Error where it did not arrive, or the response was lost. */
export async function uploadFile(url: string, key: string, signal: AbortSignal): Promise<string> {
  const form = new FormData()
  form.set('purpose', 'user_data')
  form.set('file', new File([content], 'a.txt', { type: 'text/plain' }))
  const response = await fetch(`${url}/v1/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
    keepalive: false,
    signal,
  })
  const { id }: { id?: unknown } = await response.json()
  if (!response.ok || typeof id !== 'string') throw new Error(`HTTP ${response.status}`)
  return id
}

/** Whether a request has a file: `missing` where it speaks of one. */
export type FileState = 'none' | 'there' | 'missing'

/** Returns what the body of a request has of the file that it speaks of, as it is or in base64. */
export function fileStateOf(body: string): FileState {
  if (!body.includes(fileMark)) return 'none'
  return body.includes(content) || body.includes(btoa(content)) ? 'there' : 'missing'
}
