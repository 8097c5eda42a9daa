/** The part of Bun's own `ws` module that is used: https://bun.sh/docs/runtime/nodejs-compat. It tells how a handshake was refused and limits messages. */
declare module 'ws' {
  import type { IncomingMessage } from 'node:http'

  interface Events {
    open: () => void
    message: (data: Buffer<ArrayBuffer>) => void
    ping: () => void
    error: (error: Error) => void
    close: (code: number, reason: Buffer) => void
    'unexpected-response': (request: unknown, response: IncomingMessage) => void
  }

  export class WebSocket {
    constructor(
      url: string,
      options: {
        readonly headers: Readonly<Record<string, string>>
        readonly maxPayload: number
        readonly perMessageDeflate: false
        readonly proxy?: string
      },
    )
    on<Name extends keyof Events>(name: Name, listener: Events[Name]): this
    /** Bytes that were sent and not taken by the network. */
    readonly bufferedAmount: number
    send(message: string): void
    pause(): void
    resume(): void
    close(code: number): void
    terminate(): void
  }
}
