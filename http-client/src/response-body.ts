export type Bytes = Uint8Array<ArrayBuffer>

type Read<Value> =
  | { readonly done: false; readonly value: Value }
  | { readonly done: true; readonly value?: Value | undefined }

/** Reads bytes; the reader of a stream, or an equivalent. */
export interface ByteReader<Value extends Uint8Array = Uint8Array> {
  /** @throws Error when what is read broke off. */
  read(): Promise<Read<Value>>
  /** Like the function `pour`, where a reader can do so without a promise for each piece. Only while nothing else is read. */
  pour?(take: Take<Value>): Promise<boolean>
  /** Discards the rest. */
  cancel(): Promise<void>
}

/** Receives the next piece; returns whether it wants another. */
export type Take<Value extends Uint8Array = Uint8Array> = (bytes: Value) => boolean

/**
 * Passes each piece to `take` as it arrives, until it wants no more or the end. Resolves with whether the end was reached.
 * @throws Error when the body broke off, and what `take` throws.
 */
export async function pour<Value extends Uint8Array>(reader: ByteReader<Value>, take: Take<Value>): Promise<boolean> {
  if (reader.pour) return reader.pour(take)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    if (!take(value)) return false
  }
}

/** What a body needs from its connection. */
export interface BodySource {
  pause(): void
  resume(): void
  /** Discards the rest. */
  cancel(): void
}

const maxUnreadBytes = 256 * 1024

/**
 * The body of a response while it arrives. What arrived since the last read is read in one piece; while there is no reader the connection
 * is paused.
 */
export class ResponseBody implements ByteReader<Bytes> {
  #unread: Bytes[] = []
  #size = 0
  #isPaused = false
  #isEnded = false
  #failure: Error | null = null
  #reading: Pick<PromiseWithResolvers<Read<Bytes>>, 'resolve' | 'reject'> | null = null
  #pouring: (Pick<PromiseWithResolvers<boolean>, 'resolve' | 'reject'> & { readonly take: Take<Bytes> }) | null = null

  constructor(private readonly source: BodySource) {}

  read(): Promise<Read<Bytes>> {
    if (this.#size > 0) return Promise.resolve({ done: false, value: this.#takeAll() })
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#isEnded) return Promise.resolve(ended)
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject }
    })
  }

  async pour(take: Take<Bytes>): Promise<boolean> {
    while (this.#size > 0) if (!take(this.#takeAll())) return false
    if (this.#failure) throw this.#failure
    if (this.#isEnded) return true
    return new Promise((resolve, reject) => {
      this.#pouring = { take, resolve, reject }
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
    if (this.#pouring) return this.#pour(bytes)
    if (this.#reading) {
      this.#resolveRead({ done: false, value: bytes })
      return
    }
    this.#unread.push(bytes)
    this.#size += bytes.byteLength
    if (this.#size <= maxUnreadBytes || this.#isPaused) return
    this.#isPaused = true
    this.source.pause()
  }

  end(): void {
    this.#isEnded = true
    if (this.#reading) this.#resolveRead(ended)
    this.#pouring?.resolve(true)
    this.#pouring = null
  }

  /** What arrived before it can still be read. */
  fail(error: Error): void {
    if (this.#isEnded || this.#failure) return
    this.#failure = error
    this.#reading?.reject(error)
    this.#reading = null
    this.#pouring?.reject(error)
    this.#pouring = null
  }

  #pour(bytes: Bytes) {
    const pouring = this.#pouring
    try {
      if (pouring?.take(bytes)) return
      pouring?.resolve(false)
    } catch (error) {
      pouring?.reject(error)
    }
    this.#pouring = null
  }

  #resolveRead(read: Read<Bytes>) {
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
