/** A response is longer than allowed. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  constructor() {
    super('The answer is too large')
  }
}

type Body = Pick<Response, 'body'>

/** Resolves with the first bytes of a response. The rest is not read. */
export async function readBeginning({ body }: Body, mostBytes: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, mostBytes - size))
    size += part.length
    if (size >= mostBytes) break
  }
  return Buffer.concat(parts)
}

/** Resolves with the body of a response. @throws AnswerTooLarge when it has more than `mostBytes`; the rest is not read. */
export async function readBounded(answer: Body, mostBytes: number): Promise<Buffer<ArrayBuffer>> {
  const body = await readBeginning(answer, mostBytes + 1)
  if (body.length > mostBytes) throw new AnswerTooLarge()
  return body
}
