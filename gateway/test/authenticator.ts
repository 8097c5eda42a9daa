import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

import type { NewPasskeyResponse, PasskeyResponse } from '@tollgate/contract'

/** An authenticator with one passkey, as https://www.w3.org/TR/webauthn-3/ specifies its responses. */
export interface Authenticator {
  readonly id: string
  /** `format`: of its attestation. */
  create(request: { challenge: string; rp: { id: string } }, format?: string): NewPasskeyResponse
  /** `counter`: uses so far, as reported by the authenticator. */
  get(request: { challenge: string; rpId: string }, said?: ClientData): PasskeyResponse
}

interface ClientData {
  readonly counter?: number
  readonly origin?: string
  readonly userHandle?: string
  /** Not checked by finger, face or PIN. */
  readonly isUnverified?: boolean
}

const origin = 'https://console.test'
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

export function anAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const head = (rpId: string, bits: number, counter: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count])
  }
  return {
    id,
    create({ challenge, rp }, format = 'none') {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const authData = Buffer.concat([
        head(rp.id, flags.present | flags.verified | flags.attested, 0),
        Buffer.alloc(16),
        length,
        credentialId,
        cbor(key),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', new Map<string, Cbor>()],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get({ challenge, rpId }, { counter = 0, origin: from = origin, userHandle, isUnverified = false } = {}) {
      const client = clientData('webauthn.get', challenge, from)
      const data = head(rpId, isUnverified ? flags.present : flags.present | flags.verified, counter)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle !== undefined && { userHandle }),
        },
      }
    },
  }
}

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** As much of https://www.rfc-editor.org/rfc/rfc8949 as authenticators write. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member)])
  return Buffer.concat([cborHead(5, value.size), ...members])
}

function cborHead(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count])
  if (count < 256) return Buffer.from([(kind << 5) | 24, count])
  return Buffer.from([(kind << 5) | 25, count >> 8, count & 0xff])
}
