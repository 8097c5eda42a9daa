/** A response is longer than allowed. */
export class ResponseTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  constructor() {
    super('The answer is too large')
  }
}

type Body = Pick<Response, 'body'>

/** Resolves with the first bytes of a response. The rest is not read. */
export async function readBeginning({ body }: Body, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, maxBytes - size))
    size += part.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(parts)
}

/** Resolves with the body of a response. @throws AnswerTooLarge when it has more than `maxBytes`; the rest is not read. */
export async function readBounded(response: Body, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const body = await readBeginning(response, maxBytes + 1)
  if (body.length > maxBytes) throw new ResponseTooLarge()
  return body
}
