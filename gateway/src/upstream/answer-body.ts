export type Bytes = Uint8Array<ArrayBuffer>

type Read<Value> =
  | { readonly done: false; readonly value: Value }
  | { readonly done: true; readonly value?: Value | undefined }

/** Reads bytes; that of a stream, or one that is like it. */
export interface ByteReader<Value extends Uint8Array = Uint8Array> {
  /** @throws Error when what is read broke off. */
  read(): Promise<Read<Value>>
  /** The rest is not wanted. */
  cancel(): Promise<void>
}

/** What a body asks of its connection. */
export interface BodySource {
  pause(): void
  resume(): void
  /** Nobody wants the rest. */
  cancel(): void
}

const mostUnreadBytes = 256 * 1024

/**
 * The body of an answer while it arrives. What came since the last read is read in one piece; whoever does not read lets the
 * connection wait.
 */
export class AnswerBody implements ByteReader<Bytes> {
  #unread: Bytes[] = []
  #size = 0
  #isPaused = false
  #isEnded = false
  #failure: Error | null = null
  #reading: Pick<PromiseWithResolvers<Read<Bytes>>, 'resolve' | 'reject'> | null = null

  constructor(private readonly source: BodySource) {}

  read(): Promise<Read<Bytes>> {
    if (this.#size > 0) return Promise.resolve({ done: false, value: this.#takeAll() })
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#isEnded) return Promise.resolve(ended)
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject }
    })
  }

  async cancel(): Promise<void> {
    this.#unread = []
    this.#size = 0
    if (!this.#isEnded && !this.#failure) this.source.cancel()
    this.end()
  }

  push(bytes: Bytes): void {
    if (this.#isEnded || bytes.byteLength === 0) return
    if (this.#reading) {
      this.#answer({ done: false, value: bytes })
      return
    }
    this.#unread.push(bytes)
    this.#size += bytes.byteLength
    if (this.#size <= mostUnreadBytes || this.#isPaused) return
    this.#isPaused = true
    this.source.pause()
  }

  end(): void {
    this.#isEnded = true
    if (this.#reading) this.#answer(ended)
  }

  /** What came before it can still be read. */
  fail(error: Error): void {
    if (this.#isEnded || this.#failure) return
    this.#failure = error
    this.#reading?.reject(error)
    this.#reading = null
  }

  #answer(read: Read<Bytes>) {
    const reading = this.#reading
    this.#reading = null
    reading?.resolve(read)
  }

  #takeAll(): Bytes {
    const [first, ...others] = this.#unread
    const all = first && others.length === 0 ? first : Buffer.concat(this.#unread)
    this.#unread = []
    this.#size = 0
    if (this.#isPaused) {
      this.#isPaused = false
      this.source.resume()
    }
    return all
  }
}

const ended: Read<Bytes> = { done: true }
